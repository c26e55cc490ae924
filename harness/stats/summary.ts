/** All are null for no values: no data is not the worst score. NaN is refused. */
export function mean(values: readonly number[]): number | null {
  refuseNaN(values)
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5)
}

/** Linear between order statistics (type 7 of Hyndman and Fan, The American Statistician 50, 1996). */
export function quantile(values: readonly number[], probability: number): number | null {
  refuseNaN(values)
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    probability,
  )
}

/** The same for values that ascend already. */
export function quantileOfSorted(ascending: ArrayLike<number>, probability: number): number | null {
  const position = (ascending.length - 1) * probability
  const below = ascending[Math.floor(position)]
  const above = ascending[Math.ceil(position)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (position - Math.floor(position))
}

function refuseNaN(values: readonly number[]): void {
  if (values.some((value) => Number.isNaN(value))) throw new RangeError('A value cannot be NaN.')
}

/**
 * Holm's adjusted p-values, for confirmatory families: the chance of any false alarm stays below α (Holm, Scandinavian
 * Journal of Statistics 6, 1979, pp. 65–70). In the order given.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let highest = 0
  for (const [rank, { p, index }] of inOrder(ps).entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p))
    adjusted[index] = highest
  }
  return adjusted
}

/**
 * Benjamini and Hochberg's adjusted p-values, for exploratory cells: the expected share of false alarms among all alarms
 * stays below α (Journal of the Royal Statistical Society B 57, 1995, pp. 289–300). In the order given.
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let lowest = 1
  for (const [rank, { p, index }] of [...inOrder(ps).entries()].toReversed()) {
    lowest = Math.min(lowest, (ps.length / (rank + 1)) * p)
    adjusted[index] = lowest
  }
  return adjusted
}

function inOrder(ps: readonly number[]): { p: number; index: number }[] {
  for (const p of ps) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no p-value.`)
  return ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
}
