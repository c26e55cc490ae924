import { binomialAtMost } from './binomial.js'
import { requireAmounts, requireShare } from './domain.js'
import type { Interval } from './wilson.js'

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
