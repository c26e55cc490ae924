import { FEWEST_CLUSTERS, expandedTail, generatorOf } from './bootstrap.js'
import { normalAtMost } from './distributions.js'
import { quantileOfSorted, requireFinite, requireShare } from './summary.js'

/** A comparison of cells: weights that add up to 0. */
export interface Contrast {
  name: string
  kind: 'main' | 'interaction' | 'simple'
  weights: number[]
}

/**
 * The contrasts of a full cross of two factors whose levels have an order; the cell of levels a and b stands at
 * a · |B| + b. A main effect is a step from one level to the next, averaged over the other factor; an interaction is what
 * a step of one does to a step of the other; a simple effect is a step at one level of the other.
 */
export function factorialContrasts([first, second]: readonly [readonly string[], readonly string[]]): Contrast[] {
  const steps = (levels: readonly string[]) =>
    levels.slice(1).map((level, index) => ({
      name: `${levels[index] ?? ''} → ${level}`,
      weights: levels.map((_, at) => (at === index + 1 ? 1 : at === index ? -1 : 0)),
    }))
  const even = (levels: readonly string[]) => levels.map(() => 1 / levels.length)
  const at = (levels: readonly string[], level: string) => levels.map((other) => (other === level ? 1 : 0))
  const cross = (a: readonly number[], b: readonly number[]) => a.flatMap((x) => b.map((y) => x * y))
  const [a, b] = [steps(first), steps(second)]
  const of = (kind: Contrast['kind'], name: string, weights: number[]): Contrast => ({ name, kind, weights })
  return [
    ...a.map(({ name, weights }) => of('main', name, cross(weights, even(second)))),
    ...b.map(({ name, weights }) => of('main', name, cross(even(first), weights))),
    ...a.flatMap((one) =>
      b.map((other) => of('interaction', `(${one.name}) × (${other.name})`, cross(one.weights, other.weights))),
    ),
    ...a.flatMap(({ name, weights }) =>
      second.map((level) => of('simple', `${name} at ${level}`, cross(weights, at(second, level)))),
    ),
    ...b.flatMap(({ name, weights }) =>
      first.map((level) => of('simple', `${name} at ${level}`, cross(at(first, level), weights))),
    ),
  ]
}

/** What each cell (column) reached in each scenario (row) of one world; a `per` of 1 everywhere where it is left out. */
export interface World {
  of: readonly (readonly number[])[]
  per?: readonly (readonly number[])[]
}

/** What is made of a cell's sums over scenarios: their mean, the logit of a rate (+½ on both sides), the log of a quotient. */
const scales = {
  mean: (of: number, per: number) => of / per,
  logit: (of: number, per: number) => Math.log((of + 0.5) / (per - of + 0.5)),
  log: (of: number, per: number) => Math.log(of / per),
}
export type Scale = keyof typeof scales

export interface ContrastEstimate {
  value: number
  /** Null with too few scenarios, and where a resample has no value. */
  low: number | null
  high: number | null
  /** The α at which the interval's end touches 0; where no resample reaches 0, by the resamples' deviation. */
  p: number | null
}

export interface ContrastOptions {
  scale: Scale
  seed: string
  /** Not below 10 000 for figures that are shown. */
  resamples?: number | undefined
  confidence?: number
}

/** Of one contrast: in each world, their equal-weight mean, and the mean without each of them. Null: undefined. */
export interface Contrasted {
  worlds: (ContrastEstimate | null)[]
  mean: ContrastEstimate | null
  without: (ContrastEstimate | null)[]
}

/**
 * Contrasts of cells with a seeded bootstrap: worlds are fixed, the scenarios within each are drawn with replacement, each
 * with all its cells. Intervals are expanded percentiles (bootstrap.ts); where worlds are joined the degrees of freedom
 * are the sum of theirs, and the deviation is widened as the smallest asks for.
 */
export function contrast(
  worlds: readonly World[],
  contrasts: readonly Contrast[],
  options: ContrastOptions,
): Contrasted[] {
  const { scale, seed, resamples = 10_000, confidence = 0.95 } = options
  requireShare(confidence, 'A confidence')
  for (const { of, per = [] } of worlds) requireFinite([...of, ...per].flat(), 'A value of a cell')
  const generator = generatorOf(seed)
  const seen = worlds.map((world) => cellsOf(world, [...world.of.keys()], scale))
  const drawn = worlds.map((world) =>
    Array.from({ length: resamples }, () => cellsOf(world, draw(world.of.length, generator), scale)),
  )
  return contrasts.map(({ weights }) => {
    const join = (cells: readonly number[]): number =>
      weights.reduce((sum, weight, at) => sum + (weight === 0 ? 0 : weight * (cells[at] ?? NaN)), 0)
    const values = seen.map(join)
    const draws = drawn.map((each) => each.map(join))
    const over = (members: readonly number[]): ContrastEstimate | null => {
      const value = meanOf(members.map((world) => values[world] ?? NaN))
      if (!Number.isFinite(value)) return null
      const sizes = members.map((world) => worlds[world]?.of.length ?? 0)
      const all = Array.from({ length: resamples }, (_, index) =>
        meanOf(members.map((world) => draws[world]?.[index] ?? NaN)),
      )
      return { value, ...intervalOf(value, all, sizes, confidence) }
    }
    const every = [...worlds.keys()]
    return {
      worlds: every.map((world) => over([world])),
      mean: over(every),
      without: every.map((world) => over(every.filter((other) => other !== world))),
    }
  })
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

type Generator = ReturnType<typeof generatorOf>

const draw = (scenarios: number, generator: Generator): number[] =>
  Array.from({ length: scenarios }, () => Math.floor(((generator.next() >>> 0) / 2 ** 32) * scenarios))

function cellsOf({ of, per }: World, scenarios: readonly number[], scale: Scale): number[] {
  const sums = (rows: World['of'], cell: number) => scenarios.reduce((sum, row) => sum + (rows[row]?.[cell] ?? NaN), 0)
  return (of[0] ?? []).map((_, cell) =>
    scales[scale](sums(of, cell), per === undefined ? scenarios.length : sums(per, cell)),
  )
}

function intervalOf(
  value: number,
  draws: readonly number[],
  sizes: readonly number[],
  confidence: number,
): Omit<ContrastEstimate, 'value'> {
  const [smallest, degrees] = [Math.min(...sizes), sizes.reduce((sum, size) => sum + size - 1, 0)]
  if (smallest < 2 || degrees < FEWEST_CLUSTERS - 1 || !draws.every(Number.isFinite))
    return { low: null, high: null, p: null }
  const ascending = Float64Array.from(draws).toSorted()
  const tail = expandedTail(smallest, degrees, confidence)
  // Rounding must not tell a sum of differences that is nothing from 0.
  const below = ascending.filter((drawn) => drawn <= 1e-12).length
  const above = ascending.filter((drawn) => drawn >= -1e-12).length
  const counted = (1 + Math.min(below, above)) / (1 + draws.length)
  const centre = meanOf(draws)
  const deviation = Math.sqrt(meanOf(draws.map((drawn) => (drawn - centre) ** 2)))
  // Where no resample lies beyond 0, so many cannot tell how far it is: the tail is that of the deviation.
  const isFar = Math.min(below, above) === 0 && deviation > 1e-12
  const beyond = isFar ? Math.min(counted, normalAtMost(-Math.abs(value) / deviation)) : counted
  let [least, most] = [0, 1]
  for (let step = 0; step < 40; step++) {
    const alpha = (least + most) / 2
    if (expandedTail(smallest, degrees, 1 - alpha) < beyond) least = alpha
    else most = alpha
  }
  return { low: quantileOfSorted(ascending, tail), high: quantileOfSorted(ascending, 1 - tail), p: most }
}
