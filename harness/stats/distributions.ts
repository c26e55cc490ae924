import { requireShare } from './domain.js'

/** ln Γ(x) for x ≥ 0.5 by Lanczos' approximation (g = 7, nine terms: Godfrey 2001), good to about 1e-15 of its size. */
export function logGamma(x: number): number {
  const shifted = x - 1
  const series = LANCZOS.reduce((sum, term, index) => sum + (index === 0 ? term : term / (shifted + index)), 0)
  const t = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(series)
}

const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6,
  1.505_632_735_149_311_6e-7,
]

/**
 * The regularised incomplete beta function I_x(a, b): the continued fraction of DLMF 8.17.22 by Lentz's method
 * (Press et al., Numerical Recipes, 3rd ed., 6.4), on the side of the mean where it converges fast.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

function fraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    const step = d * c
    value *= step
    if (Math.abs(step - 1) < 1e-16) break
  }
  return value
}

/** Lentz divides by these: a zero is moved off zero. */
function away(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value
}

/**
 * Φ(x): Taylor's series in the middle (Marsaglia, Journal of Statistical Software 11(4), 2004), the continued fraction
 * 26.2.14 of Abramowitz and Stegun in the tails, so that small tails keep their digits.
 */
export function normalAtMost(x: number): number {
  if (x > 0) return 1 - normalAtMost(-x)
  if (x < -3) return density(x) * tailFraction(-x)
  let term = x
  let sum = x
  for (let power = 3; Math.abs(term) > 1e-18; power += 2) {
    term *= (x * x) / power
    sum += term
  }
  return 0.5 + density(x) * sum
}

/** The quantile of the standard normal distribution: Acklam's rational approximation, then one step of Halley. */
export function normalQuantile(probability: number): number {
  if (Number.isNaN(probability)) throw new RangeError('A probability cannot be NaN.')
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  const x = approximateQuantile(probability)
  if (density(x) === 0) return x
  const error = (normalAtMost(x) - probability) / density(x)
  return x - error / (1 + (x * error) / 2)
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

function tailFraction(x: number): number {
  let value = x
  for (let term = 200; term >= 1; term--) value = x + term / value
  return 1 / value
}

/** For probabilities up to one half; the relative error is below 1.2e-9. */
function approximateQuantile(probability: number): number {
  if (probability < TAIL) {
    const q = Math.sqrt(-2 * Math.log(probability))
    return polynomial(C, q) / (polynomial(D, q) * q + 1)
  }
  const q = probability - 0.5
  const r = q * q
  return (polynomial(A, r) * q) / (polynomial(B, r) * r + 1)
}

const TAIL = 0.024_25
const A = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
]
const B = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1]
const C = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const D = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416]

/** Horner's scheme; the highest power comes first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
}

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

/** P(T ≤ t) for Student's t with so many degrees of freedom (Abramowitz and Stegun 26.5.27); small tails keep their digits. */
export function studentAtMost(t: number, degrees: number): number {
  if (t > 0) return 1 - studentAtMost(-t, degrees)
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2
}

export function studentQuantile(probability: number, degrees: number): number {
  requireShare(probability, 'A probability')
  if (probability > 0.5) return -studentQuantile(1 - probability, degrees)
  let below = -1
  while (studentAtMost(below, degrees) > probability) below *= 2
  let above = 0
  for (let step = 0; step < 80; step++) {
    const middle = (below + above) / 2
    if (studentAtMost(middle, degrees) < probability) below = middle
    else above = middle
  }
  return (below + above) / 2
}
