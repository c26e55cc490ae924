import erfcinv from '@stdlib/math-base-special-erfcinv'
import logGamma from '@stdlib/math-base-special-gammaln'
import betaQuantile from '@stdlib/stats-base-dists-beta-quantile'
import binomialAtMost from '@stdlib/stats-base-dists-binomial-cdf'
import binomialExactly from '@stdlib/stats-base-dists-binomial-pmf'
import normalCdf from '@stdlib/stats-base-dists-normal-cdf'
import studentQuantile from '@stdlib/stats-base-dists-t-quantile'

// The library agrees with R to 4e-14 of a value over the golden tables (reference.test.ts). One function of it does not:
// its normal quantile is off by 2e-9 at a probability of 1e-10, where the inverse of erfc is off by 6e-16.

export { betaQuantile, binomialAtMost, binomialExactly, logGamma, studentQuantile }

export const normalAtMost = (x: number): number => normalCdf(x, 0, 1)

export const normalQuantile = (probability: number): number => -Math.SQRT2 * erfcinv(2 * probability)
