import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRandom } from '../sim/random.js'
import { playPhases, playTurns } from './fixtures/drivers.js'
import type { Options, Played } from './fixtures/drivers.js'
import { Office } from './fixtures/office.js'
import type { Naming, Playground } from './fixtures/playground.js'
import { Toy } from './fixtures/toy.js'

const PLAYS: Record<string, (toy: Playground, options: Options) => Played> = {
  act: (toy, options) => playTurns(toy, 'act', options),
  poll: (toy, options) => playTurns(toy, 'poll', options),
  await: (toy, options) => playTurns(toy, 'await', options),
  phases: playPhases,
}
const LETTERS = 'bcdfghjklmnpqrstvwxz'.split('')
const plain: Naming = (name) => name

/** Other names of equal length, the same for equal seeds, and the way back. */
function renaming(seed: number): { naming: Naming; back: (text: string) => string } {
  const names = new Map<string, string>()
  const naming: Naming = (name) => {
    const draw = createRandom(`names-${seed}`).stream(name)
    const made = names.get(name) ?? Array.from(name, () => draw.pick(LETTERS)).join('')
    names.set(name, made)
    return made
  }
  const back = (text: string) => [...names].reduce((said, [name, made]) => said.replaceAll(made, name), text)
  return { naming, back }
}

const WORLDS: Record<string, (naming: Naming) => Playground> = {
  'a studio': (naming) => new Toy(naming),
  'an office with one order': (naming) => new Office(naming, ['ash']),
  'an office with three orders': (naming) => new Office(naming, ['ash', 'birch', 'cedar']),
}
const surfaces = Object.keys(PLAYS).flatMap((surface) => Object.keys(WORLDS).map((world) => [surface, world] as const))

it.each(surfaces)('changes nothing but names when all names change (%s, %s)', (surface, world) => {
  for (const model of ['sim:careful', 'sim:typical', 'sim:hasty', 'sim:distracted', 'sim:fixated?syntax=0.8']) {
    for (let seed = 0; seed < (world === 'a studio' ? 12 : 2); seed++) {
      const { naming, back } = renaming(seed)
      const play = (names: Naming) => {
        const made = WORLDS[world]?.(names)
        const exposures: unknown[] = []
        const onAnswer: Options['onAnswer'] = (_request, each) => exposures.push(each)
        return made === undefined ? undefined : { ...PLAYS[surface]?.(made, { model, seed, onAnswer }), exposures }
      }
      const before = play(plain)
      const after = play(naming)
      expect({ ...after, answers: after?.answers?.map(back) }).toEqual(before)
    }
  }
})

it('answers the same whatever the order of the sections', () => {
  for (const model of ['sim:careful', 'sim:typical', 'sim:hasty']) {
    for (let seed = 0; seed < 12; seed++) {
      const forward = playPhases(new Toy(plain), { model, seed })
      expect(playPhases(new Toy(plain), { model, seed, reverse: true })).toEqual(forward)
    }
  }
})

it('answers the same at the second asking: what is remembered changes nothing', () => {
  const first = playPhases(new Toy(plain), { model: 'sim:typical', seed: 3 })
  expect(playPhases(new Toy(plain), { model: 'sim:typical', seed: 3 })).toEqual(first)
})

it('names no environment and no agent in its code', () => {
  const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('fixtures'),
  )
  const forbidden =
    /hydraulic|reactor|\bpump\b|\bvalve\b|\bcore\b|\bwater\b|hammer|s-ora|\bsora\b|react-|\breact\b|converter|boiler|counter|from '.*(?:agents|environments)\//i
  const found = files.filter((file) => forbidden.test(readFileSync(new URL(file, import.meta.url), 'utf8')))
  expect(files.length).toBeGreaterThan(20)
  expect(found).toEqual([])
})
