import { incompleteBeta } from './beta.js'
import { requireShare } from './domain.js'

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
