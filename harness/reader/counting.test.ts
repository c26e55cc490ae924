import { expect, it } from 'vitest'
import { intentIn, manual } from './fixtures/situation.js'
import type { Situation } from './fixtures/situation.js'
import { readGoal } from './read/goal.js'

const POLL = 'discover, read, observe, operate, sleep, claim'
const PUSH = 'discover, read, focus, operate, wait, claim'

const tally = (verbs: string, effects: string): Situation => ({
  goal: 'You are agent 1 of 3: find the counter and increment it only if the number modulo 3 is 1, continue until it exceeds 5.',
  documents: {
    tally: manual({
      tool: 'tally',
      properties: ['`total` | Integer | any | The shared number.'],
      operations: [`inc | ${effects} | {"action":"inc","expected":"<expected: Integer>"}`],
      signals: ['tally.change | `total` has changed.'],
    }),
  },
  catalogue: [{ id: 'tally', summary: 'The shared number.', covers: ['tally'] }],
  verbs,
})
const AT_ONCE = '**Immediate.** | None. | `total` rises by `1`.'
const LATER =
  '**Latent.** Completion is indicated by the `tally.change` signal. | None. | On `tally.change`: `total` rises by `1`.'

const seen = (total: number, at: number) => ({
  observed: [{ tool: 'tally', properties: { total: { value: total, at } } }],
  at,
})
const called = (at: number, accepted: boolean, rule?: string) => ({
  tool: 'tally',
  action: 'inc',
  accepted,
  operationId: `op-${at}`,
  at,
  message: '',
  ...(rule !== undefined && { rule }),
})
const inc = (expected: number) => ({ do: 'operate', tool: 'tally', action: 'inc', args: { expected }, wait: null })
const look = { do: 'observe', tools: ['tally'] }
const pause = { do: 'sleep', ms: 2_000 }

it.each([
  ['only if the number modulo 3 is 1', [{ op: 'remainder', value: 1, modulus: 3 }]],
  ['only when the total mod 8 equals 0', [{ op: 'remainder', value: 0, modulus: 8 }]],
  ['only if the number modulo 0 is 1', []],
])('reads the turns of: %s', (clause, expected) => {
  const guards = readGoal(`Increment it ${clause}, until it exceeds 5.`).guards
  expect(guards.map(({ op, value, modulus }) => ({ op, value, modulus }))).toEqual(expected)
})

it('acts when the remainder is its own, and at no other number', () => {
  const at = (total: number) => intentIn({ ...tally(POLL, AT_ONCE), history: [seen(total, 10)] })
  expect([0, 1, 2, 3, 4, 5, 6].map(at)).toEqual([
    pause,
    inc(1),
    pause,
    pause,
    inc(4),
    pause,
    { do: 'claim', achieved: true },
  ])
})

it('sees by a number that has moved as far as was stated that its own process has ended', () => {
  const after = (total: number) =>
    intentIn({ ...tally(POLL, LATER), history: [seen(1, 10), called(20, true), seen(total, 30)] })
  expect([1, 2, 4].map(after)).toEqual([pause, pause, inc(4)])
})

const REFUSED = '`expected` must be the number that is found'

it('doubts the number that a refused call was filled with: looks again, or waits for news', () => {
  const history = [seen(1, 10), called(20, false, REFUSED)]
  expect(intentIn({ ...tally(POLL, AT_ONCE), history })).toEqual(look)
  expect(intentIn({ ...tally(POLL, AT_ONCE), history: [...history, seen(4, 30)] })).toEqual(inc(4))
  expect(intentIn({ ...tally(PUSH, AT_ONCE), history: [...history, { focused: ['tally'], at: 25 }] })).toEqual({
    do: 'wait',
    signals: ['tally.change'],
    when: null,
    timeoutMs: 300_000,
  })
})
