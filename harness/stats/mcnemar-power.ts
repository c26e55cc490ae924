import { binomialAtMost, binomialExactly } from './binomial.js'
import { requireCounts, requireShare } from './domain.js'
import { mcnemarMidP } from './mcnemar.js'

export interface PairedPlan {
  /** The share of pairs that differ (0 for deterministic trials); where a difference is larger, at least that many do. */
  discordance: number
  alpha?: number
  power?: number
}

/**
 * The chance that McNemar's two-sided mid-p falls to α or below when the rates differ by `difference`: exact, summed
 * over the number of discordant pairs and their split (Duffy, Biometrics 40, 1984, with the mid-p rejection
 * rule). A difference needs as many discordant pairs, so the discordance is at least its size.
 */
export function mcnemarPower(plan: { pairs: number; difference: number; discordance: number; alpha?: number }): number {
  const { pairs, difference, discordance, alpha = 0.05 } = plan
  requireCounts([pairs], 'A number of pairs')
  for (const value of [Math.abs(difference), discordance]) {
    if (!(value <= 1 && value >= 0)) throw new RangeError(`${value} is no share of the pairs.`)
  }
  requireShare(alpha, 'An alpha')
  const apart = Math.max(discordance, Math.abs(difference))
  if (apart === 0) return 0
  const ahead = (1 + Math.abs(difference) / apart) / 2
  const spread = 9 * Math.sqrt(pairs * apart * (1 - apart)) + 10
  let critical = -1
  let power = 0
  for (let m = Math.max(1, Math.floor(pairs * apart - spread)); m <= Math.min(pairs, pairs * apart + spread); m++) {
    while (2 * (critical + 1) < m && mcnemarMidP(critical + 1, m) <= alpha) critical++
    const rejected = binomialAtMost(critical, m, ahead) + binomialAtMost(critical, m, 1 - ahead)
    power += binomialExactly(m, pairs, apart) * rejected
  }
  return power
}

/**
 * A number of pairs that finds a difference with the asked power (0.8), when one pair less does not. Null for no
 * difference, and for one so small that more than 131 072 pairs would be needed.
 */
export function requiredPairs(plan: PairedPlan & { difference: number }): number | null {
  const { power = 0.8, ...rest } = plan
  requireShare(power, 'A power')
  if (plan.difference === 0) return null
  let above = 1
  while (above <= MOST_PAIRS && mcnemarPower({ ...rest, pairs: above }) < power) above *= 2
  if (above > MOST_PAIRS) return null
  let below = Math.floor(above / 2)
  while (above - below > 1) {
    const middle = Math.floor((above + below) / 2)
    if (mcnemarPower({ ...rest, pairs: middle }) < power) below = middle
    else above = middle
  }
  return above
}

const MOST_PAIRS = 2 ** 17

/** The smallest difference of two paired rates that is found with the asked power (0.8). Null when not even 1 would be. */
export function detectableDifference(plan: PairedPlan & { pairs: number }): number | null {
  const { power = 0.8, ...rest } = plan
  requireShare(power, 'A power')
  if (mcnemarPower({ ...rest, difference: 1 }) < power) return null
  let below = 0
  let above = 1
  for (let step = 0; step < 40; step++) {
    const middle = (below + above) / 2
    if (mcnemarPower({ ...rest, difference: middle }) < power) below = middle
    else above = middle
  }
  return above
}
