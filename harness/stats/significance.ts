import { binomialAtMost, binomialExactly, normalAtMost } from './distributions.js'
import { requireCounts, requireFinite } from './summary.js'

/**
 * McNemar's test of paired proportions from the discordant pairs, by its mid-p (Fagerland, Lydersen and Laake, BMC Medical
 * Research Methodology 13:91, 2013), which is less conservative than the exact p. Null when no pair is discordant.
 */
export function mcnemar({ onlyBase, onlyCandidate }: { onlyBase: number; onlyCandidate: number }): number | null {
  requireCounts([onlyBase, onlyCandidate], 'Discordant pairs')
  const pairs = onlyBase + onlyCandidate
  return pairs === 0 ? null : mcnemarMidP(Math.min(onlyBase, onlyCandidate), pairs)
}

/** All outcomes further from balance, and half of those as far. */
export function mcnemarMidP(fewer: number, pairs: number): number {
  const asFar = binomialExactly(fewer, pairs, 0.5)
  return 2 * fewer === pairs ? 1 - asFar / 2 : 2 * binomialAtMost(fewer, pairs, 0.5) - asFar
}

const MOST_FOR_EXACT = 50

/**
 * The two-sided p of Wilcoxon's signed-rank test of paired differences (Wilcoxon, Biometrics Bulletin 1, 1945). Zeros are
 * dropped, as he did; tied differences share the mean of their ranks. Up to 50 non-zero differences p is exact, ties
 * included: the permutation distribution of the shared ranks, built rank by rank (Streitberg and Röhmel's shift
 * algorithm, 1986). Beyond, the normal approximation with corrections for ties and continuity (Hollander and Wolfe,
 * Nonparametric Statistical Methods, 3.1). Null when no difference is left.
 */
export function wilcoxon(differences: readonly number[]): number | null {
  requireFinite(differences, 'A difference')
  const left = differences.filter((difference) => difference !== 0)
  if (left.length === 0) return null
  const ranks = doubledRanks(left)
  const positive = ranks.reduce((sum, rank, index) => sum + ((left[index] ?? 0) > 0 ? rank : 0), 0)
  return left.length <= MOST_FOR_EXACT ? exactP(ranks, positive) : normalP(ranks, positive)
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

/**
 * Holm's adjusted p-values, for confirmatory families: the chance of any false alarm stays below α (Holm, Scandinavian
 * Journal of Statistics 6, 1979, pp. 65–70). In the order given.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let highest = 0
  for (const [rank, { p, index }] of inOrder(ps).entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p))
    adjusted[index] = highest
  }
  return adjusted
}

/**
 * Benjamini and Hochberg's adjusted p-values, for exploratory cells: the expected share of false alarms among all alarms
 * stays below α (Journal of the Royal Statistical Society B 57, 1995, pp. 289–300). In the order given.
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let lowest = 1
  for (const [rank, { p, index }] of [...inOrder(ps).entries()].toReversed()) {
    lowest = Math.min(lowest, (ps.length / (rank + 1)) * p)
    adjusted[index] = lowest
  }
  return adjusted
}

function inOrder(ps: readonly number[]): { p: number; index: number }[] {
  for (const p of ps) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no p-value.`)
  return ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
}
