import { assert, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { clopperPearsonUpper, wilson } from './proportion.js'

const rounded = (interval: { low: number; high: number } | null) =>
  interval === null ? null : [interval.low.toFixed(4), interval.high.toFixed(4)]

test('Wilson intervals equal those of Newcombe 1998, table I, method 3', () => {
  expect(
    [
      [81, 263],
      [15, 148],
      [0, 20],
      [1, 29],
    ].map(([successes = 0, n = 0]) => rounded(wilson(successes, n))),
  ).toEqual([
    ['0.2553', '0.3662'],
    ['0.0624', '0.1605'],
    ['0.0000', '0.1611'],
    ['0.0061', '0.1718'],
  ])
})

test('the Wilson interval reaches 0 and 1 exactly and is absent without trials', () => {
  expect(wilson(0, 7)?.low).toBe(0)
  expect(wilson(7, 7)?.high).toBe(1)
  expect(wilson(0, 0)).toBeNull()
})

test('the Wilson interval holds the rate, is mirrored by failures, and widens with confidence', () => {
  const holds = property(integer({ min: 1, max: 500 }), nat(), (n, draw) => {
    const successes = draw % (n + 1)
    const own = wilson(successes, n)
    const mirror = wilson(n - successes, n)
    const wide = wilson(successes, n, 0.99)
    if (own === null || mirror === null || wide === null) return false
    const around = own.low <= successes / n && successes / n <= own.high
    const mirrored = Math.abs(own.low - (1 - mirror.high)) < 1e-12
    return around && mirrored && wide.low <= own.low && wide.high >= own.high
  })
  expect(() => assert(holds)).not.toThrow()
})

test('the Clopper–Pearson bound equals its closed form for no event, and published values, and rounds fractional events up', () => {
  expect(clopperPearsonUpper(0, 50)).toBeCloseTo(1 - 0.05 ** (1 / 50), 12)
  // Two-sided 95 % limits of Newcombe 1998, table I, method 5, are one-sided at 97.5 %.
  expect(clopperPearsonUpper(81, 263, 0.975)?.toFixed(4)).toBe('0.3676')
  expect(clopperPearsonUpper(15, 148, 0.975)?.toFixed(4)).toBe('0.1617')
  expect(clopperPearsonUpper(1, 29, 0.975)?.toFixed(4)).toBe('0.1776')
  expect(clopperPearsonUpper(2.5, 10)).toBe(clopperPearsonUpper(3, 10))
  expect(clopperPearsonUpper(5, 5)).toBe(1)
  expect(clopperPearsonUpper(0, 0)).toBeNull()
})

test('impossible counts and confidences are refused', () => {
  for (const events of [NaN, -1, Infinity]) {
    expect(() => wilson(events, 10)).toThrow(`Successes and trials cannot be ${events}.`)
    expect(() => clopperPearsonUpper(events, 10)).toThrow(`Events and trials cannot be ${events}.`)
  }
  expect(() => wilson(1, 10, 95)).toThrow('A confidence cannot be 95: it lies between 0 and 1.')
})
