import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contrast, factorialContrasts } from './contrast.js'
import type { ContrastEstimate, Contrasted } from './contrast.js'
import { holm } from './significance.js'

const rows = z.array(z.array(z.array(z.number())))
const estimate = z.object({ value: z.number(), low: z.number(), high: z.number(), p: z.number() })
const contrasted = z.object({ worlds: z.array(estimate), mean: estimate, without: z.array(estimate) })
const table = z
  .object({
    cases: z.record(
      z.string(),
      z.object({
        scale: z.enum(['mean', 'logit', 'log']),
        of: rows,
        per: rows.optional(),
        contrasts: z.array(contrasted),
      }),
    ),
    holm: z.object({ p: z.array(z.number()), adjusted: z.array(z.number()) }),
  })
  .parse(JSON.parse(readFileSync(new URL('fixtures/contrasts.json', import.meta.url), 'utf8')))

const six = factorialContrasts([
  ['single', 'phased'],
  ['polling', 'await', 'push'],
])
const five = six.slice(0, 5)

const all = ({ worlds, mean, without }: Contrasted) => [...worlds, mean, ...without]

describe.each(Object.entries(table.cases))(
  '%s agrees with statsmodels and SciPy (fixtures/contrasts.py)',
  (_, known) => {
    const worlds = known.of.map((of, index) => {
      const per = known.per?.[index]
      return per === undefined ? { of } : { of, per }
    })
    const found = contrast(worlds, five, { scale: known.scale, seed: 'reference', resamples: 20_000 })
    const pairs = known.contrasts.flatMap((theirs, index) => {
      const ours = found[index]
      return ours === undefined ? [] : all(ours).map((own, at) => [own, all(theirs)[at]] as const)
    })

    test('each contrast, in each world, over them and without each', () => {
      expect(pairs).toHaveLength(35)
      for (const [own, their] of pairs) expect(own?.value).toBeCloseTo(their?.value ?? NaN, 9)
    })

    test('the ends of the intervals, as far as chance allows', () => {
      const whole = known.per === undefined && known.of.flat(2).every(Number.isInteger)
      for (const [index, [own, their]] of pairs.entries()) {
        if (own === null || their === undefined || their === null) throw new Error('A contrast without a value.')
        // Four standard errors of a quantile so far out, and the step of a mean of whole numbers: of 8 in the smallest world.
        const step = whole ? (index % 7 < 3 ? 1 / 8 : 1 / 24) + 1e-9 : 0
        const width = (their.high ?? NaN) - (their.low ?? NaN)
        for (const end of ['low', 'high'] as const)
          expect(Math.abs((own[end] ?? NaN) - (their[end] ?? NaN))).toBeLessThan(0.03 * width + step)
        expect(Math.abs((own.p ?? NaN) - (their.p ?? NaN))).toBeLessThan(0.03)
      }
    })
  },
)

test('Holm over a family of contrasts agrees with statsmodels', () => {
  const ours = holm(table.holm.p)
  expect(table.holm.p).toHaveLength(15)
  for (const [index, adjusted] of table.holm.adjusted.entries()) expect(ours[index]).toBeCloseTo(adjusted, 12)
})

test('two loops and three surfaces have five contrasts and seven simple effects', () => {
  expect(six.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'main single → phased',
    'main polling → await',
    'main await → push',
    'interaction (single → phased) × (polling → await)',
    'interaction (single → phased) × (await → push)',
    'simple single → phased at polling',
    'simple single → phased at await',
    'simple single → phased at push',
    'simple polling → await at single',
    'simple polling → await at phased',
    'simple await → push at single',
    'simple await → push at phased',
  ])
  expect(six[3]?.weights.map((weight) => weight + 0)).toEqual([1, -1, 0, -1, 1, 0])
})

const two = factorialContrasts([
  ['a', 'b'],
  ['x', 'y'],
])
const estimateOf = (of: number[][], per?: number[][]): ContrastEstimate | null | undefined =>
  contrast([per === undefined ? { of } : { of, per }], two, {
    scale: per === undefined ? 'mean' : 'log',
    seed: '',
    resamples: 200,
  })[0]?.mean

test('too few scenarios have no interval, and a cell that solved nothing has no quotient', () => {
  const row = [1, 2, 3, 4]
  expect(estimateOf([row, row, row])).toEqual({ value: 2, low: null, high: null, p: null })
  const eight = Array.from({ length: 8 }, () => row)
  expect(
    estimateOf(
      eight,
      eight.map(() => [0, 1, 1, 1]),
    ),
  ).toBe(null)
  // One of eight: some resamples have none.
  const rare = estimateOf(
    eight,
    eight.map((_, index) => [index === 0 ? 1 : 0, 1, 1, 1]),
  )
  expect(rare).toMatchObject({ low: null, high: null, p: null })
  expect(rare?.value).toBeCloseTo((Math.log(3) + Math.log(4) - Math.log(8) - Math.log(2)) / 2)
})

test('where no scenario differs nothing is found', () => {
  expect(estimateOf(Array.from({ length: 8 }, () => [1, 1, 1, 1]))).toEqual({ value: 0, low: 0, high: 0, p: 1 })
})

test('the same seed draws the same scenarios', () => {
  const world = { of: Array.from({ length: 9 }, (_, row) => [row % 2, (row * 7) % 5, row % 3, 1]) }
  const draw = (seed: string) => contrast([world], two, { scale: 'mean', seed, resamples: 500 })
  expect(draw('a')).toEqual(draw('a'))
  expect(draw('b')).not.toEqual(draw('a'))
})
