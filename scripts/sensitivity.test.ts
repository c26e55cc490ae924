import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Estimate } from '../harness/contract/index.js'
import { PICTURE, acrossScales, keptCells, picture, regions } from './error-tables.js'
import type { Cell } from './error-tables.js'
import { openSuite } from './sensitivity.js'

/** Of all cells so many are played again, spread over worlds, agents and readers. */
const AGAIN = 36

test('cells of the page, played today, do in their first scenario what was kept of them (npm run sensitivity)', async () => {
  const { cells, play } = await openSuite(1)
  const kept = keptCells()
  const firstOf = ({ world, agent, model, calls, solved }: Cell) => ({ world, agent, model, calls, solved: solved[0] })
  expect(kept.map(({ world, agent, model }) => `${world} ${agent} ${model}`)).toEqual(
    cells.map(([trial]) => `${trial?.scenario.environment} ${trial?.agent} ${trial?.model}`),
  )
  const again = [...cells.entries()].filter(([index]) => index % Math.ceil(cells.length / AGAIN) === 0)
  const played = []
  for (const [index, [trial]] of again)
    if (trial !== undefined) played.push([index, firstOf(await play(trial))] as const)
  expect(played.length).toBeGreaterThan(AGAIN / 2)
  expect(played).toEqual(played.map(([index]) => [index, kept.map(firstOf)[index]]))
}, 60_000)

test('the picture of who solves more shows what was kept (npm run sensitivity)', async () => {
  expect(readFileSync(PICTURE, 'utf8')).toBe(await picture())
})

const estimate = (low: number, high: number): Estimate => ({ kind: 'difference', value: (low + high) / 2, low, high })
const [more, fewer, open] = [estimate(0.1, 0.3), estimate(-0.3, -0.1), estimate(-0.1, 0.3)]

test('what holds on one scale only depends on the scale', () => {
  expect(
    [
      [more, more],
      [fewer, fewer],
      [open, null],
      [more, open],
      [more, fewer],
    ].map(acrossScales),
  ).toEqual(['more', 'fewer', 'no difference told', 'depends on the scale', 'depends on the scale'])
})

test('the regions are told in words, for each world and rival, with their n', () => {
  const cell = (agent: string, settings: string, solved: number): Cell => ({
    world: 'kettle',
    agent,
    model: `sim:typical?${settings}`,
    solved: '1'.repeat(solved) + '0'.repeat(20 - solved),
    predicted: 20,
    exposures: 1,
    slips: 0,
    calls: 1,
  })
  const played = [
    ['correlation=0&per=exposure', 5, 20],
    ['correlation=0&per=decision', 20, 20],
    ['correlation=0.5&per=exposure', 5, 20],
    ['correlation=1&per=exposure', 20, 5],
    ['correlation=1&per=decision', 20, 5],
  ] as const
  const cells = played.flatMap(([settings, base, own]) => [cell('rival', settings, base), cell('s-ora', settings, own)])
  expect(regions(cells)).toBe(
    '- `kettle`, `s-ora` beside `rival` (n = 20): more at ρ = 0.5; fewer at ρ = 1; depends on the scale at ρ = 0.\n',
  )
})
