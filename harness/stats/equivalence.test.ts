import { expect, test } from 'vitest'
import { tost, tostProportions } from './equivalence.js'

const margin = { low: -0.1, high: 0.1 }
const agreed = (both: number) => tostProportions({ both, onlyBase: 0, onlyCandidate: 0, neither: 0 }, margin)

test('equivalence is claimed exactly when the interval lies inside the margin', () => {
  const differences = [0.02, -0.03, 0.05, 0.01, -0.06, 0.04, 0, 0.03]
  const verdicts = [0.005, 0.02, 0.03, 0.05, 0.2].map((width) => {
    const found = tost(differences, { low: -width, high: width })
    return found === null ? null : [found.p < 0.05, found.low > -width && found.high < width]
  })
  expect(verdicts).toEqual([
    [false, false],
    [false, false],
    [false, false],
    [true, true],
    [true, true],
  ])
})

test('a candidate that is better beyond the margin is no worse, but not equivalent', () => {
  const found = tost([0.3, 0.35, 0.28, 0.31, 0.33], margin)
  expect([(found?.pNotLower ?? 1) < 0.001, (found?.pNotHigher ?? 0) > 0.999, found?.p === found?.pNotHigher]).toEqual([
    true,
    true,
    true,
  ])
  const proportions = tostProportions({ both: 60, onlyBase: 0, onlyCandidate: 30, neither: 10 }, margin)
  expect([proportions?.notLower, proportions?.notHigher, proportions?.equivalent]).toEqual([true, false, false])
})

test('proportions are equivalent only when there are pairs enough to say so', () => {
  expect([10, 20, 40].map((n) => agreed(n)?.equivalent)).toEqual([false, false, true])
  expect(agreed(0)).toBeNull()
})

test('one difference or equal ones prove nothing, and bad margins are refused', () => {
  const sameRatio = [3, 7, 11].map((base) => Math.log(1.1 * base) - Math.log(base))
  expect(new Set(sameRatio).size).toBeGreaterThan(1)
  expect([[], [0], [0, 0, 0], [0.1, 0.1], sameRatio].map((differences) => tost(differences, margin))).toEqual(
    Array(5).fill(null),
  )
  expect(() => tost([0, 1], { low: 0, high: 1 })).toThrow('A margin from 0 to 1 spans no 0.')
  expect(() => tost([0, 1], { low: -1, high: NaN })).toThrow('A margin cannot be NaN.')
  expect(() => tost([0, NaN], margin)).toThrow('A difference cannot be NaN.')
  expect(() => tost([0, 1], margin, 0.5)).toThrow(RangeError)
})
