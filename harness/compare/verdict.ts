import type { Metric } from '../define/index.js'
import { FEWEST_CLUSTERS } from '../stats/bootstrap.js'
import type { Cell, Estimate } from './cell.js'

/**
 * What is said of a metric. `unchanged`: every pair is identical. `equivalent`: surely within the margin. `better`,
 * `worse`: a difference that chance does not explain; `differs` where the metric has no better direction.
 * `no evidence`: neither; read it with the difference that could have been detected.
 */
export const VERDICTS = ['worse', 'better', 'differs', 'equivalent', 'no evidence', 'unchanged'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Rules {
  alpha: number
  /** After the correction of its family. */
  adjusted: number | null
  better: Metric['better']
  margin: number | null
}

/** A difference needs both: a corrected p of at most α, and an interval without “no difference”. */
export function verdictOf({ changed, tested, base, candidate }: Cell, rules: Rules): Verdict {
  if (changed === 0) return 'unchanged'
  if (tested === null || rules.adjusted === null) return 'no evidence'
  const { estimate, narrow } = tested
  if (estimate !== null && narrow !== null && rules.margin !== null) {
    if (isWithin(narrow.low, estimate.kind, rules.margin) && isWithin(narrow.high, estimate.kind, rules.margin))
      return 'equivalent'
  }
  const none = estimate?.kind === 'difference' ? 0 : 1
  const excluded = estimate === null || estimate.low > none || estimate.high < none
  if (rules.adjusted > rules.alpha || !excluded) return 'no evidence'
  if (rules.better === 'neither') return 'differs'
  const rises = estimate === null ? Number(candidate) > Number(base) : estimate.value > none
  return rises === (rules.better === 'higher') ? 'better' : 'worse'
}

/** A margin is absolute for differences, relative for ratios: 0.1 allows from 1 ÷ 1.1 to 1.1. */
export function isWithin(value: number, kind: Estimate['kind'], margin: number): boolean {
  return kind === 'difference' ? Math.abs(value) < margin : Math.abs(Math.log(value)) < Math.log1p(margin)
}

/** So many scenarios let the most extreme result of a family of that size reach α; with fewer no test can. */
export function scenariosNeeded(kind: Cell['kind'], family: number, alpha: number): number {
  const smallestP = kind === 'rate' ? alpha / family : alpha / (2 * family)
  return Math.max(kind === 'rate' ? 1 : FEWEST_CLUSTERS, Math.ceil(-Math.log2(smallestP)))
}
