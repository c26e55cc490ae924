import { assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { binomialExactly } from './distributions.js'
import { pairedDifference } from './proportion.js'
import { mcnemar } from './significance.js'

test('the interval of 36, 12, 2 and 0 pairs is the one published by Newcombe 1998 for method 10', () => {
  // There the difference is first − second answer, so the first stands for the candidate.
  const found = pairedDifference({ both: 36, onlyCandidate: 12, onlyBase: 2, neither: 0 })
  expect([found?.difference, found?.low, found?.high].map((value) => value?.toFixed(4))).toEqual([
    '0.2000',
    '0.0569',
    '0.3404',
  ])
})

test('the interval holds the difference, stays within −1 and 1, and turns round when base and candidate swap', () => {
  const holds = property(nat(60), nat(60), nat(60), nat(60), (both, onlyBase, onlyCandidate, neither) => {
    const own = pairedDifference({ both, onlyBase, onlyCandidate, neither })
    const swapped = pairedDifference({ both, onlyBase: onlyCandidate, onlyCandidate: onlyBase, neither })
    if (own === null || swapped === null) return both + onlyBase + onlyCandidate + neither === 0
    const around = -1 <= own.low && own.low <= own.difference && own.difference <= own.high && own.high <= 1
    return around && Math.abs(own.low + swapped.high) < 1e-12
  })
  expect(() => assert(holds)).not.toThrow()
})

test('agreement everywhere leaves doubt, and no pairs leave no interval', () => {
  const agreed = pairedDifference({ both: 20, onlyBase: 0, onlyCandidate: 0, neither: 0 })
  expect([agreed?.difference, agreed?.low.toFixed(4), agreed?.high.toFixed(4)]).toEqual([0, '-0.1611', '0.1611'])
  expect(pairedDifference({ both: 0, onlyBase: 0, onlyCandidate: 0, neither: 0 })).toBeNull()
  expect(() => pairedDifference({ both: NaN, onlyBase: 0, onlyCandidate: 0, neither: 0 })).toThrow(RangeError)
  expect(() => pairedDifference({ both: 1, onlyBase: 0, onlyCandidate: 0, neither: 0 }, 95)).toThrow(RangeError)
})

/** Every table of n pairs with its chance under the given cells: nothing is left to sampling. */
function* tables(n: number, [pBoth, pBase, pCandidate]: readonly [number, number, number]) {
  for (let both = 0; both <= n; both++) {
    for (let onlyBase = 0; onlyBase + both <= n; onlyBase++) {
      for (let onlyCandidate = 0; onlyCandidate + onlyBase + both <= n; onlyCandidate++) {
        const chance =
          binomialExactly(both, n, pBoth) *
          binomialExactly(onlyBase, n - both, pBase / (1 - pBoth)) *
          binomialExactly(onlyCandidate, n - both - onlyBase, pCandidate / (1 - pBoth - pBase))
        yield { chance, cells: { both, onlyBase, onlyCandidate, neither: n - both - onlyBase - onlyCandidate } }
      }
    }
  }
}

test('the 95 % interval covers the true difference in 93 to 98 % of all samples of 30 pairs', () => {
  const truths = [
    [0.5, 0.1, 0.3],
    [0.7, 0.1, 0.1],
    [0.2, 0.25, 0.25],
    [0.6, 0.05, 0.25],
  ] as const
  const coverages = truths.map((truth) => {
    let covered = 0
    for (const { chance, cells } of tables(30, truth)) {
      const interval = pairedDifference(cells)
      if (interval && interval.low <= truth[2] - truth[1] && truth[2] - truth[1] <= interval.high) covered += chance
    }
    return covered
  })
  expect(coverages.filter((coverage) => coverage < 0.93 || coverage > 0.98)).toEqual([])
})

test("McNemar's mid-p raises a false alarm in at most 5 % of all samples of 30 unchanged pairs", () => {
  const rates = [0.05, 0.2, 0.35, 0.45].map((half) => {
    let alarmed = 0
    for (const { chance, cells } of tables(30, [(1 - 2 * half) / 2, half, half])) {
      if ((mcnemar(cells) ?? 1) <= 0.05) alarmed += chance
    }
    return alarmed
  })
  expect(rates.filter((rate) => rate > 0.05)).toEqual([])
  expect(Math.max(...rates)).toBeGreaterThan(0.04)
})
