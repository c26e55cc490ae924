export const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

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

/** Numbers that no data can have come from a bug: they are refused here and never averaged away. No data at all is null. */
export function requireFinite(values: Iterable<number>, what: string): void {
  for (const value of values) if (!Number.isFinite(value)) throw new RangeError(`${what} cannot be ${value}.`)
}

/** Counts of averaged replicas may be fractional: finite and not negative is all that is asked. */
export function requireAmounts(values: Iterable<number>, what: string): void {
  for (const value of values) {
    if (!(value >= 0) || value === Infinity) throw new RangeError(`${what} cannot be ${value}.`)
  }
}

export function requireCounts(values: Iterable<number>, what: string): void {
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} cannot be ${value}: it is a count.`)
  }
}

/** Strictly between 0 and 1: a confidence of 95 is 0.95. */
export function requireShare(value: number, what: string): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${what} cannot be ${value}: it lies between 0 and 1.`)
}
