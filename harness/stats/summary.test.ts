import { expect, test } from 'vitest'
import { binomialAtMost, logGamma, normalQuantile } from './distributions.js'
import { mean, median, quantile } from './summary.js'

test('nothing has no mean, median or quantile', () => {
  expect([mean([]), median([]), quantile([], 0.9)]).toEqual([null, null, null])
})

test('quantiles are linear between order statistics whatever the order of the values', () => {
  expect([median([4, 1, 3, 2]), quantile([40, 10, 20, 30, 50], 0.9), quantile([7], 0.1), mean([1, 2, 6])]).toEqual([
    2.5, 46, 7, 3,
  ])
})

test('NaN is refused, for it would sort anywhere', () => {
  expect(() => mean([1, NaN])).toThrow('A value cannot be NaN.')
  expect(() => median([NaN, 1])).toThrow('A value cannot be NaN.')
})

test('normal quantiles are those of the tables', () => {
  expect([0.975, 0.95, 0.5, 0.005, 0.001].map((p) => normalQuantile(p).toFixed(6))).toEqual([
    '1.959964',
    '1.644854',
    '0.000000',
    '-2.575829',
    '-3.090232',
  ])
})

test('the binomial tail and ln Γ are exact where they are known', () => {
  expect(Math.exp(logGamma(11))).toBeCloseTo(3_628_800, 4)
  expect(Math.exp(logGamma(0.5))).toBeCloseTo(Math.sqrt(Math.PI), 12)
  expect(binomialAtMost(2, 4, 0.5)).toBeCloseTo(11 / 16, 12)
  expect(binomialAtMost(0, 1_000, 0.001)).toBeCloseTo(0.999 ** 1_000, 12)
})
