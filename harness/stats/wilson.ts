import { requireAmounts, requireShare } from './domain.js'
import { normalQuantile } from './normal.js'

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
