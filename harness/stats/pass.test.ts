import { expect, test } from 'vitest'
import { passAll } from './proportion.js'

/** The share of the subsets of k replicas out of n in which all are among the first `passed`. */
function bySubsets(n: number, passed: number, k: number): number {
  const masks = Array.from({ length: 2 ** n }, (_, mask) =>
    Array.from({ length: n }, (__, index) => ((mask >> index) & 1) === 1),
  )
  const subsets = masks.filter((drawn) => drawn.filter(Boolean).length === k)
  return subsets.filter((drawn) => drawn.every((isDrawn, index) => !isDrawn || index < passed)).length / subsets.length
}

test('pass^k is the share of all subsets of k replicas', () => {
  for (let n = 1; n <= 6; n++) {
    for (let passed = 0; passed <= n; passed++) {
      for (let k = 1; k <= n; k++) expect(passAll([{ n, passed }], k)).toBeCloseTo(bySubsets(n, passed, k), 12)
    }
  }
})

test('scenarios weigh the same whatever their number of replicas', () => {
  const counts = [
    { n: 4, passed: 4 },
    { n: 2, passed: 0 },
  ]
  expect([passAll(counts, 1), passAll(counts, 2)]).toEqual([0.5, 0.5])
})

test('too few replicas in any scenario leave it undefined, and impossible counts are refused', () => {
  const counts = [
    { n: 5, passed: 5 },
    { n: 2, passed: 2 },
  ]
  expect([passAll(counts, 3), passAll([], 1)]).toEqual([null, null])
  expect(() => passAll(counts, 0)).toThrow('Of 0 replicas nothing can be said.')
  expect(() => passAll([{ n: 2, passed: 3 }], 1)).toThrow(RangeError)
  expect(() => passAll([{ n: NaN, passed: 0 }], 1)).toThrow(RangeError)
})
