import { studentAtMost, studentQuantile } from './distributions.js'
import { requireFinite, requireShare } from './domain.js'
import { pairedDifference } from './proportion.js'
import type { Interval, PairedCells, PairedDifference } from './proportion.js'

/** Differences between these are as good as none: low < 0 < high. For log ratios: the logarithms, e.g. ±ln 1.1. */
export interface Margin {
  low: number
  high: number
}

export interface MeanEquivalence extends Interval {
  mean: number
  /** Against “not above margin.low”: small where the mean is no lower than the margin allows. */
  pNotLower: number
  /** Against “not below margin.high”: small where the mean is no higher than the margin allows. */
  pNotHigher: number
  /** Of equivalence: the larger of the two. `low` to `high` (confidence 1 − 2α) lies inside the margin when p < α. */
  p: number
}

/**
 * Two one-sided t tests of paired differences (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987,
 * pp. 657–680). Null with fewer than two differences or without spread: that all are equal is a fact, and no test.
 */
export function tost(differences: readonly number[], margin: Margin, alpha = 0.05): MeanEquivalence | null {
  requireFinite(differences, 'A difference')
  checkMargin(margin, alpha)
  const n = differences.length
  if (n < 2) return null
  const mean = differences.reduce((sum, value) => sum + value, 0) / n
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const error = Math.sqrt(variance / n)
  // Equal log ratios differ by roundings.
  if (error <= 10 * Number.EPSILON * Math.abs(mean)) return null
  const half = studentQuantile(1 - alpha, n - 1) * error
  const pNotLower = studentAtMost((margin.low - mean) / error, n - 1)
  const pNotHigher = studentAtMost((mean - margin.high) / error, n - 1)
  return { mean, low: mean - half, high: mean + half, pNotLower, pNotHigher, p: Math.max(pNotLower, pNotHigher) }
}

export interface ProportionEquivalence extends PairedDifference {
  notLower: boolean
  notHigher: boolean
  equivalent: boolean
}

/**
 * The same for paired proportions by the interval that belongs to it: Newcombe's at confidence 1 − 2α must lie inside
 * the margin (Westlake's inclusion rule; Newcombe 1998 as in `pairedDifference`). Null without pairs.
 */
export function tostProportions(cells: PairedCells, margin: Margin, alpha = 0.05): ProportionEquivalence | null {
  checkMargin(margin, alpha)
  const interval = pairedDifference(cells, 1 - 2 * alpha)
  if (interval === null) return null
  const notLower = interval.low > margin.low
  const notHigher = interval.high < margin.high
  return { ...interval, notLower, notHigher, equivalent: notLower && notHigher }
}

function checkMargin(margin: Margin, alpha: number): void {
  requireFinite([margin.low, margin.high], 'A margin')
  if (!(margin.low < 0 && margin.high > 0))
    throw new RangeError(`A margin from ${margin.low} to ${margin.high} spans no 0.`)
  requireShare(2 * alpha, 'Twice an alpha')
}
