import { expect, it } from 'vitest'
import { playPhases, playTurns } from './fixtures/drivers.js'
import type { Options, Played } from './fixtures/drivers.js'
import { Office } from './fixtures/office.js'

const plain = (name: string) => name
function played(sheets: readonly string[], play: (office: Office) => Played) {
  const office = new Office(plain, sheets)
  const { claim } = play(office)
  return { claim, reached: office.reached(), done: office.done }
}
const SURFACES: [string, (office: Office, options?: Options) => Played][] = [
  ['poll', (office, options) => playTurns(office, 'poll', options)],
  ['await', (office, options) => playTurns(office, 'await', options)],
  ['phases', (office, options) => playPhases(office, options)],
]

it.each(SURFACES)(
  'takes the order that it began itself, not the one that is ready, and begins a spoilt one again (%s)',
  (_name, play) => {
    expect(played(['ash'], play)).toEqual({
      claim: 'achieved',
      reached: true,
      done: ['prints ash', 'prints ash', 'takes ash READY'],
    })
  },
)

// Who cannot look does not know how much room there is.
it.each(SURFACES.filter(([name]) => name !== 'await'))(
  'begins all orders of a numbered goal before it waits, as far as there is room (%s)',
  (_name, play) => {
    const { done, ...end } = played(['ash', 'birch', 'cedar', 'elm'], play)
    expect(end).toEqual({ claim: 'achieved', reached: true })
    expect(done.slice(0, 3)).toEqual(['prints ash', 'prints birch', 'prints cedar'])
    expect(done.toSorted()).toEqual([
      'prints ash',
      'prints birch',
      'prints cedar',
      'prints elm',
      'prints elm',
      'takes ash READY',
      'takes birch READY',
      'takes cedar READY',
      'takes elm READY',
    ])
  },
)

it('does the other goals first where it can neither look nor wait, and errs on all of them then', () => {
  const { done, reached } = played(['ash', 'birch'], (office) => playTurns(office, 'act'))
  expect(done.slice(0, 3)).toEqual(['prints ash', 'prints birch', 'takes ash RUNNING'])
  expect(reached).toBe(false)
})

it('takes a sheet that still runs exactly when it is impatient', () => {
  const { done } = played(['ash'], (office) => playTurns(office, 'poll', { model: 'sim:careful?patience=0' }))
  expect(done.slice(0, 2)).toEqual(['prints ash', 'takes ash RUNNING'])
})
