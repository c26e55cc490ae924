/**
 * Holm's adjusted p-values, for confirmatory families: the chance of any false alarm stays below α (Holm, Scandinavian
 * Journal of Statistics 6, 1979, pp. 65–70). In the order given.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let highest = 0
  for (const [rank, { p, index }] of ascending(ps).entries()) {
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
  for (const [rank, { p, index }] of [...ascending(ps).entries()].toReversed()) {
    lowest = Math.min(lowest, (ps.length / (rank + 1)) * p)
    adjusted[index] = lowest
  }
  return adjusted
}

function ascending(ps: readonly number[]): { p: number; index: number }[] {
  for (const p of ps) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no p-value.`)
  return ps.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
}
