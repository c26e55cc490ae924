import { normalAtMost } from './distributions.js'
import { requireFinite } from './domain.js'

export interface Wilcoxon {
  /** The sum of the ranks of the positive differences (R's V). */
  statistic: number
  /** Two-sided. */
  p: number
  /** Differences that are not zero. */
  n: number
}

const MOST_FOR_EXACT = 50

/**
 * Wilcoxon's signed-rank test of paired differences (Wilcoxon, Biometrics Bulletin 1, 1945). Zeros are dropped, as he
 * did; tied differences share the mean of their ranks. Up to 50 non-zero differences p is exact, ties included: the
 * permutation distribution of the shared ranks, built rank by rank (Streitberg and Röhmel's shift algorithm, 1986).
 * Beyond, the normal approximation with corrections for ties and continuity (Hollander and Wolfe, Nonparametric
 * Statistical Methods, 3.1). Null when no difference is left.
 */
export function wilcoxon(differences: readonly number[]): Wilcoxon | null {
  requireFinite(differences, 'A difference')
  const left = differences.filter((difference) => difference !== 0)
  if (left.length === 0) return null
  const ranks = doubledRanks(left)
  const positive = ranks.reduce((sum, rank, index) => sum + ((left[index] ?? 0) > 0 ? rank : 0), 0)
  const p = left.length <= MOST_FOR_EXACT ? exactP(ranks, positive) : normalP(ranks, positive)
  return { statistic: positive / 2, p, n: left.length }
}

/** Twice the mid-ranks of the sizes, so that they are whole. */
function doubledRanks(differences: readonly number[]): number[] {
  const sizes = differences.map(Math.abs)
  const ascending = sizes.toSorted((a, b) => a - b)
  const rankOf = new Map<number, number>()
  for (let first = 0; first < ascending.length;) {
    const size = ascending[first] ?? 0
    const past = ascending.findLastIndex((other) => other === size) + 1
    rankOf.set(size, first + 1 + past)
    first = past
  }
  return sizes.map((size) => rankOf.get(size) ?? 0)
}

function exactP(ranks: readonly number[], positive: number): number {
  const chance = new Float64Array(ranks.reduce((sum, rank) => sum + rank, 0) + 1)
  chance[0] = 1
  for (const rank of ranks) {
    for (let sum = chance.length - 1; sum >= 0; sum--) {
      chance[sum] = ((chance[sum] ?? 0) + (chance[sum - rank] ?? 0)) / 2
    }
  }
  const atMost = chance.subarray(0, positive + 1).reduce((sum, value) => sum + value, 0)
  const atLeast = chance.subarray(positive).reduce((sum, value) => sum + value, 0)
  return Math.min(1, 2 * Math.min(atMost, atLeast))
}

/** Half the sum of squared mid-ranks is the variance that the tie correction leads to. */
function normalP(ranks: readonly number[], positive: number): number {
  const total = ranks.reduce((sum, rank) => sum + rank, 0)
  const squares = ranks.reduce((sum, rank) => sum + rank * rank, 0)
  const distance = Math.max(0, Math.abs(positive - total / 2) - 1)
  return Math.min(1, 2 * normalAtMost(-distance / Math.sqrt(squares / 4)))
}
