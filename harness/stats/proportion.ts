import { betaQuantile, normalQuantile } from './distributions.js'
import { requireAmounts, requireCounts, requireShare } from './summary.js'

export interface Interval {
  low: number
  high: number
}

/**
 * Wilson's score interval for a proportion, without continuity correction (Wilson 1927; method 3 of Newcombe,
 * Statistics in Medicine 17, 1998). `successes` may be fractional where replicas were averaged. Null without trials.
 */
export function wilson(successes: number, n: number, confidence = 0.95): Interval | null {
  requireAmounts([successes, n], 'Successes and trials')
  requireShare(confidence, 'A confidence')
  if (n === 0) return null
  const z = normalQuantile(1 - (1 - confidence) / 2)
  // Sums of averaged replicas miss n by a rounding.
  const rate = Math.min(1, successes / n)
  const centre = rate + (z * z) / (2 * n)
  const half = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  // At the ends the bound is exact; rounding would leave 1e-17 or 0.9999….
  return {
    low: rate === 0 ? 0 : Math.max(0, (centre - half) / scale),
    high: rate === 1 ? 1 : Math.min(1, (centre + half) / scale),
  }
}

/**
 * The exact one-sided upper bound of a proportion (Clopper and Pearson, Biometrika 26, 1934): the rate at which so few
 * events would be seen with probability 1 − confidence. For no event in n it is 1 − (1 − confidence)^(1/n).
 * Fractional events are rounded up, which widens the bound. Null without trials.
 */
export function clopperPearsonUpper(events: number, n: number, confidence = 0.95): number | null {
  requireAmounts([events, n], 'Events and trials')
  requireShare(confidence, 'A confidence')
  if (n === 0) return null
  const seen = Math.ceil(events - 1e-9)
  if (seen >= n) return 1
  return betaQuantile(confidence, seen + 1, n - seen)
}

/** Scenarios by who succeeded. Cells may be fractional where replicas were averaged. */
export interface PairedCells {
  both: number
  onlyBase: number
  onlyCandidate: number
  neither: number
}

export interface PairedDifference extends Interval {
  difference: number
}

/**
 * The difference candidate − base of two paired proportions with Newcombe's score interval: method 10 of Newcombe,
 * Statistics in Medicine 17, 1998, pp. 2635–2650 (Wilson's limits of both, joined with the correlation φ, whose
 * numerator is lowered by n ÷ 2 but not below 0 when it is positive). Null without pairs.
 */
export function pairedDifference(cells: PairedCells, confidence = 0.95): PairedDifference | null {
  const { both, onlyBase, onlyCandidate, neither } = cells
  requireAmounts([both, onlyBase, onlyCandidate, neither], 'A cell of paired outcomes')
  const n = both + onlyBase + onlyCandidate + neither
  const base = wilson(both + onlyBase, n, confidence)
  const candidate = wilson(both + onlyCandidate, n, confidence)
  if (base === null || candidate === null) return null
  const baseRate = (both + onlyBase) / n
  const candidateRate = (both + onlyCandidate) / n
  const difference = (onlyCandidate - onlyBase) / n
  const phi = correlation(cells, n)
  return {
    difference,
    low: Math.max(-1, difference - joined(candidateRate - candidate.low, base.high - baseRate, phi)),
    high: Math.min(1, difference + joined(candidate.high - candidateRate, baseRate - base.low, phi)),
  }
}

function correlation({ both, onlyBase, onlyCandidate, neither }: PairedCells, n: number): number {
  const margins = (both + onlyBase) * (onlyCandidate + neither) * (both + onlyCandidate) * (onlyBase + neither)
  if (margins === 0) return 0
  const product = both * neither - onlyBase * onlyCandidate
  return (product > 0 ? Math.max(0, product - n / 2) : product) / Math.sqrt(margins)
}

/** The third side of a triangle; rounding must not take the root of −1e-17. */
function joined(a: number, b: number, cosine: number): number {
  return Math.sqrt(Math.max(0, a * a - 2 * cosine * a * b + b * b))
}

/** How many replicas of one scenario there were, and how many passed. */
export interface PassCount {
  n: number
  passed: number
}

/**
 * pass^k: the chance that k replicas of a scenario all pass, the mean of C(passed, k) ÷ C(n, k) over scenarios (Yao et al.,
 * τ-bench, arXiv 2406.12045, 2024). Null when any scenario has fewer than k replicas, or there is none.
 */
export function passAll(counts: readonly PassCount[], k: number): number | null {
  requireCounts([k, ...counts.flatMap(({ n, passed }) => [n, passed, n - passed])], 'A number of replicas')
  if (k === 0) throw new RangeError('Of 0 replicas nothing can be said.')
  if (counts.length === 0 || counts.some(({ n }) => n < k)) return null
  // As a product, which never overflows.
  const chanceOf = ({ n, passed }: PassCount): number => {
    let chance = 1
    for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, passed - drawn) / (n - drawn)
    return chance
  }
  return counts.reduce((sum, count) => sum + chanceOf(count), 0) / counts.length
}
