import { expect, it } from 'vitest'
import { anyOf, errs, likeness, rateOf } from './common-cause.js'

it.each([
  [0.1, 0.5, 0.247],
  [0.03, 0.5, 0.17],
  [0.3, 0.5, 0.32],
])('two errors of q = %s are as alike at ρ = %s as the formula says: φ = %s', (q, correlation, phi) => {
  expect(Math.abs(likeness(q, correlation) - phi)).toBeLessThan(0.005)
})

it('the likeness is that of nothing at ρ = 0, and that of one error at ρ = 1', () => {
  expect(likeness(0.2, 0)).toBeCloseTo(0, 6)
  expect(likeness(0.2, 1)).toBeCloseTo(1, 6)
})

it.each([
  [6, 0.5, 0.679],
  [20, 0.5, 0.484],
  [6, 0, 0.9 ** 6],
  [6, 1, 0.9],
])('through %s errors of q = 0.1 at ρ = %s one gets with the probability %s', (count, correlation, through) => {
  expect(Math.abs(1 - anyOf(count, 0.1, correlation) - through)).toBeLessThan(0.002)
})

it.each([0, 0.5, 1])('the rate that gives a stated chance in six exposures gives it back (ρ = %s)', (correlation) => {
  expect(anyOf(6, rateOf(0.3, 6, correlation), correlation)).toBeCloseTo(0.3, 6)
})

it('draws at the ends of their range are errors of the rate like all others', () => {
  const ends = [0, 1].flatMap((shared) => [0, 1].map((own) => errs({ shared, own }, 0.1, 0.5)))
  expect(ends).toEqual([true, false, false, false])
})
