import { binomialAtMost, binomialExactly, logGamma, normalAtMost, studentQuantile } from './distributions.js'
import { mcnemarMidP } from './significance.js'
import { requireCounts, requireShare } from './summary.js'

/**
 * The chance that McNemar's two-sided mid-p falls to α or below when the rates differ by `difference`: exact, summed
 * over the number of discordant pairs and their split (Duffy, Biometrics 40, 1984, with the mid-p rejection
 * rule). A difference needs as many discordant pairs, so the discordance is at least its size.
 */
export function mcnemarPower(plan: { pairs: number; difference: number; discordance: number; alpha: number }): number {
  const { pairs, difference, discordance, alpha } = plan
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

/** What a difference is to be found with. */
interface Wanted {
  alpha: number
  power: number
}

/**
 * The smallest difference of two paired rates that is found with the asked power. `noise` is the share of pairs that change
 * to and fro whatever the net difference, which comes on top. Null when not even a difference of 1 would be found.
 */
export function detectableDifference(plan: Wanted & { pairs: number; noise: number }): number | null {
  const { pairs, noise, alpha, power } = plan
  requireShare(power, 'A power')
  const isFound = (difference: number): boolean =>
    mcnemarPower({ pairs, difference, discordance: Math.min(1, noise + difference), alpha }) >= power
  return isFound(1) ? smallest(isFound, 1, 1e-4) : null
}

/**
 * The smallest ratio above 1 (below 1: its inverse) that a t test of so many log ratios finds. `sd` is the standard
 * deviation of the log ratios of clusters. Null without spread or pairs.
 */
export function detectableRatio(plan: Wanted & { clusters: number; sd: number }): number | null {
  const { clusters, sd, alpha, power } = plan
  requireCounts([clusters], 'A number of clusters')
  if (!(sd >= 0) || sd === Infinity) throw new RangeError(`${sd} is no standard deviation.`)
  requireShare(alpha, 'An alpha')
  requireShare(power, 'A power')
  if (clusters < 2 || sd === 0) return null
  const isFound = (effect: number): boolean => studentPower(clusters, effect, alpha) >= power
  let most = 1
  while (!isFound(most)) most *= 2
  return Math.exp(smallest(isFound, most, most * 2 ** -50) * sd)
}

/** The least value up to `most` that is found, by halving. */
function smallest(isFound: (value: number) => boolean, most: number, precision: number): number {
  let [below, above] = [0, most]
  while (above - below > precision) {
    const middle = (below + above) / 2
    if (isFound(middle)) above = middle
    else below = middle
  }
  return above
}

/**
 * The power of the two-sided one-sample t test, for a mean of so many standard deviations: the noncentral t as the normal
 * tail averaged over the sample's deviation s (Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2,
 * 1995, chapter 31), by Simpson's rule. The bulk of s lies within 12 of its deviations of 1.
 */
export function studentPower(n: number, effect: number, alpha: number): number {
  const degrees = n - 1
  const critical = -studentQuantile(alpha / 2, degrees)
  const shift = effect * Math.sqrt(n)
  const logFront = Math.log(2) + (degrees / 2) * Math.log(degrees / 2) - logGamma(degrees / 2)
  const width = 12 / Math.sqrt(2 * degrees)
  const from = Math.max(0, 1 - width)
  const step = (1 + width - from) / STEPS
  let sum = 0
  for (let index = 0; index <= STEPS; index++) {
    const s = from + index * step
    const tails = normalAtMost(shift - critical * s) + normalAtMost(-shift - critical * s)
    const logDensity = logFront + (degrees - 1) * Math.log(s) - (degrees * s * s) / 2
    const density = s === 0 ? (degrees === 1 ? Math.exp(logFront) : 0) : Math.exp(logDensity)
    sum += density * tails * (index === 0 || index === STEPS ? 1 : index % 2 === 1 ? 4 : 2)
  }
  return (sum * step) / 3
}

const STEPS = 1_000
