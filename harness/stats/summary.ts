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
