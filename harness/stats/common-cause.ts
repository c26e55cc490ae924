import { normalAtMost, normalQuantile } from './distributions.js'

/**
 * Errors with a common cause: of each, Φ(√ρ·z + √(1−ρ)·ε) < q, where z is shared by all of them and ε is its own. So each
 * has the probability q whatever ρ is, and ρ says how much alike they are: 0 not at all, 1 all or none.
 */
export function errs(draws: { shared: number; own: number }, q: number, correlation: number): boolean {
  const score =
    Math.sqrt(correlation) * normalQuantile(inside(draws.shared)) +
    Math.sqrt(1 - correlation) * normalQuantile(inside(draws.own))
  return score < normalQuantile(q)
}

/** A draw of exactly 0 or 1 has no quantile. */
const inside = (draw: number): number => Math.min(1 - 2 ** -53, Math.max(2 ** -53, draw))

const STEP = 0.1
/** The common cause on a grid, with the weight of each of its values. */
const CAUSES = Array.from({ length: Math.round(14 / STEP) + 1 }, (_, index) => {
  const z = -7 + index * STEP
  return { z, weight: (STEP * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI) }
})

const known = new Map<string, readonly number[]>()

/** The probability to get through one error, for each value of the common cause. Rates come again and again. */
function through(q: number, correlation: number): readonly number[] {
  const key = `${q} ${correlation}`
  const found = known.get(key)
  if (found !== undefined) return found
  const quantile = normalQuantile(q)
  const [shared, own] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)]
  // A grid cannot hold the step that a full correlation is; what is asked of it there is not asked of the grid.
  const made = CAUSES.map(({ z }) => (own === 0 ? 1 : 1 - normalAtMost((quantile - shared * z) / own)))
  if (known.size >= 1_000) known.clear()
  known.set(key, made)
  return made
}

/** The chance to get through errors with common causes, one group per cause, and what it becomes with one more. */
export interface Survival {
  readonly probability: number
  /** The chance that this one comes to pass, where none did before. */
  next(group: string, q: number): number
}

export function survival(correlation: number): Survival {
  const groups = new Map<string, { each: readonly number[]; probability: number; worst: number }>()
  let probability = 1
  return {
    get probability() {
      return probability
    },
    next(group, q) {
      const before = groups.get(group) ?? { each: CAUSES.map(() => 1), probability: 1, worst: 0 }
      const more = through(q, correlation)
      const each = before.each.map((chance, index) => chance * (more[index] ?? 1))
      const sum = CAUSES.reduce((total, { weight }, index) => total + weight * (each[index] ?? 0), 0)
      const worst = Math.max(before.worst, q)
      // With one cause alone the likeliest error decides for all.
      const after = { each, probability: correlation >= 1 ? 1 - worst : sum, worst }
      groups.set(group, after)
      const hazard = before.probability > 0 ? 1 - after.probability / before.probability : 0
      probability *= 1 - hazard
      return Math.min(1, Math.max(0, hazard))
    },
  }
}

/** The probability that at least one of so many errors of one cause comes to pass. */
export function anyOf(count: number, q: number, correlation: number): number {
  const chance = survival(correlation)
  for (let each = 0; each < count; each++) chance.next('', q)
  return 1 - chance.probability
}

/** What q must be, so that at least one of so many errors of one cause comes to pass with that probability. */
export function rateOf(probability: number, count: number, correlation: number): number {
  let [low, high] = [0, probability]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (anyOf(count, middle, correlation) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The correlation (φ) of two errors of one cause, as one counts them. */
export function likeness(q: number, correlation: number): number {
  const both = 2 * q - anyOf(2, q, correlation)
  return (both - q * q) / (q * (1 - q))
}
