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
