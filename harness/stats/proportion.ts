import { binomialAtMost, binomialExactly, normalQuantile } from './distributions.js'
import { requireAmounts, requireCounts, requireShare } from './domain.js'

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
 * The exact two-sided interval of a proportion (Clopper and Pearson, Biometrika 26, 1934, pp. 404–413), with equal tails.
 * Fractional events are rounded outwards, which widens it. Null without trials.
 */
export function clopperPearson(events: number, n: number, confidence = 0.95): Interval | null {
  const oneSided = 1 - (1 - confidence) / 2
  const high = clopperPearsonUpper(events, n, oneSided)
  const mirrored = clopperPearsonUpper(n - events, n, oneSided)
  return high === null || mirrored === null ? null : { low: 1 - mirrored, high }
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
  let low = 0
  let high = 1
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (binomialAtMost(seen, n, middle) > 1 - confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * McNemar's test of paired proportions from the discordant pairs: the exact two-sided p (McNemar, Psychometrika 12,
 * 1947, conditional on the discordant pairs) and its mid-p (Fagerland, Lydersen and Laake, BMC Medical Research
 * Methodology 13:91, 2013), which is less conservative and the one to show. Null when no pair is discordant.
 */
export function mcnemar(discordant: {
  onlyBase: number
  onlyCandidate: number
}): { exact: number; midP: number } | null {
  const { onlyBase, onlyCandidate } = discordant
  requireCounts([onlyBase, onlyCandidate], 'Discordant pairs')
  const pairs = onlyBase + onlyCandidate
  if (pairs === 0) return null
  const fewer = Math.min(onlyBase, onlyCandidate)
  return { exact: Math.min(1, 2 * binomialAtMost(fewer, pairs, 0.5)), midP: mcnemarMidP(fewer, pairs) }
}

/** All outcomes further from balance, and half of those as far. */
export function mcnemarMidP(fewer: number, pairs: number): number {
  const asFar = binomialExactly(fewer, pairs, 0.5)
  return 2 * fewer === pairs ? 1 - asFar / 2 : 2 * binomialAtMost(fewer, pairs, 0.5) - asFar
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
