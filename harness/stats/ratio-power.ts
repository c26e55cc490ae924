import { requireCounts, requireShare } from './domain.js'
import { logGamma } from './gamma.js'
import { normalAtMost } from './normal.js'
import { studentQuantile } from './student.js'

export interface RatioPlan {
  /** The standard deviation of the log ratios of clusters. */
  sd: number
  alpha?: number
  power?: number
}

/** The smallest ratio above 1 (below 1: its inverse) that a t test of so many log ratios finds. Null without spread or pairs. */
export function detectableRatio(plan: RatioPlan & { clusters: number }): number | null {
  const { clusters, sd, alpha = 0.05, power = 0.8 } = plan
  requireCounts([clusters], 'A number of clusters')
  check(sd, alpha, power)
  if (clusters < 2 || sd === 0) return null
  let above = 1
  while (studentPower(clusters, above, alpha) < power) above *= 2
  let below = 0
  for (let step = 0; step < 50; step++) {
    const middle = (below + above) / 2
    if (studentPower(clusters, middle, alpha) < power) below = middle
    else above = middle
  }
  return Math.exp(above * sd)
}

/** How many clusters find a true ratio with the asked power (0.8). Null without spread or for a ratio of 1. */
export function requiredClusters(plan: RatioPlan & { ratio: number }): number | null {
  const { ratio, sd, alpha = 0.05, power = 0.8 } = plan
  if (!(ratio > 0) || ratio === Infinity) throw new RangeError(`${ratio} is no ratio.`)
  check(sd, alpha, power)
  if (ratio === 1 || sd === 0) return null
  const effect = Math.abs(Math.log(ratio)) / sd
  let above = 2
  while (studentPower(above, effect, alpha) < power) above *= 2
  let below = Math.max(1, Math.floor(above / 2))
  while (above - below > 1) {
    const middle = Math.floor((above + below) / 2)
    if (studentPower(middle, effect, alpha) < power) below = middle
    else above = middle
  }
  return above
}

function check(sd: number, alpha: number, power: number): void {
  if (!(sd >= 0) || sd === Infinity) throw new RangeError(`${sd} is no standard deviation.`)
  requireShare(alpha, 'An alpha')
  requireShare(power, 'A power')
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
