import { requireAmounts } from './domain.js'
import { wilson } from './wilson.js'
import type { Interval } from './wilson.js'

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
