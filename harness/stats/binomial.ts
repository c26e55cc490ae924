import { incompleteBeta } from './beta.js'
import { logGamma } from './gamma.js'

/** P(X = k) for X binomial(n, p). */
export function binomialExactly(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0
  if (p <= 0) return k === 0 ? 1 : 0
  if (p >= 1) return k === n ? 1 : 0
  const logChoose = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
  return Math.exp(logChoose + k * Math.log(p) + (n - k) * Math.log1p(-p))
}

/** P(X ≤ k) for X binomial(n, p), through the incomplete beta function (DLMF 8.17.5). */
export function binomialAtMost(k: number, n: number, p: number): number {
  if (k < 0) return 0
  if (k >= n || p <= 0) return 1
  return incompleteBeta(1 - p, n - k, k + 1)
}
