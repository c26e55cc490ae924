import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRandom } from '../../time/random.js'
import { playPhases, playTurns } from './fixtures/drivers.js'
import type { Options, Played } from './fixtures/drivers.js'
import { Toy } from './fixtures/toy.js'
import type { Naming } from './fixtures/toy.js'

const PLAYS: Record<string, (toy: Toy, options: Options) => Played> = {
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

it.each(Object.keys(PLAYS))('changes nothing but names when all names change (%s)', (surface) => {
  for (const model of ['sim:careful', 'sim:typical', 'sim:hasty', 'sim:distracted', 'sim:fixated?syntax=0.8']) {
    for (let seed = 0; seed < 12; seed++) {
      const { naming, back } = renaming(seed)
      const before = PLAYS[surface]?.(new Toy(plain), { model, seed })
      const after = PLAYS[surface]?.(new Toy(naming), { model, seed })
      expect({ ...after, answers: after?.answers.map(back) }).toEqual(before)
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
  const files = readdirSync(new URL('.', import.meta.url)).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const forbidden =
    /hydraulic|reactor|\bpump\b|\bvalve\b|\bcore\b|\bwater\b|hammer|s-ora|\bsora\b|react-|\breact\b|converter|boiler|counter|from '.*(?:agents|environments)\//i
  const found = files.filter((file) => forbidden.test(readFileSync(new URL(file, import.meta.url), 'utf8')))
  expect(files.length).toBeGreaterThan(20)
  expect(found).toEqual([])
})
