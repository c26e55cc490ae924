import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { wilcoxon } from './significance.js'

/** Every assignment of signs, counted one by one. */
function bruteForce(differences: readonly number[]): number | null {
  const sizes = differences.filter((d) => d !== 0).map(Math.abs)
  const ranks = sizes.map((s) => {
    const smaller = sizes.filter((other) => other < s).length
    return smaller + (sizes.filter((other) => other === s).length + 1) / 2
  })
  const signs = differences.filter((d) => d !== 0).map((d) => d > 0)
  const n = sizes.length
  if (n === 0) return null
  const sumOf = (positive: (index: number) => boolean) =>
    ranks.reduce((sum, rank, i) => sum + (positive(i) ? rank : 0), 0)
  const statistic = sumOf((index) => signs[index] === true)
  const sums = Array.from({ length: 2 ** n }, (_, mask) => sumOf((index) => ((mask >> index) & 1) === 1))
  const tail = Math.min(sums.filter((sum) => sum <= statistic).length, sums.filter((sum) => sum >= statistic).length)
  return Math.min(1, (2 * tail) / 2 ** n)
}

test('p is that of all sign assignments, with ties and zeros', () => {
  const equal = property(array(integer({ min: -4, max: 4 }), { maxLength: 10 }), (differences) => {
    expect(wilcoxon(differences)).toEqual(bruteForce(differences))
  })
  expect(() => assert(equal, { numRuns: 300 })).not.toThrow()
})

test('the depression scores of Hollander and Wolfe give p = 0.03906', () => {
  const first = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
  const second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
  expect(wilcoxon(first.map((value, index) => value - (second[index] ?? 0)))).toBe(0.0390625)
})

const balanced = (n: number) => wilcoxon(Array.from({ length: n }, (_, index) => (index % 2 === 0 ? 3 : -3)))

test('balanced differences are no evidence, by the exact p and by the approximation', () => {
  expect([balanced(50), balanced(60)]).toEqual([1, 1])
})

test('no differences and zeros alone have no p-value, and NaN is refused', () => {
  expect([wilcoxon([]), wilcoxon([0, 0, -0])]).toEqual([null, null])
  expect(() => wilcoxon([1, NaN])).toThrow('A difference cannot be NaN.')
})
