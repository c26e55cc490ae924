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
