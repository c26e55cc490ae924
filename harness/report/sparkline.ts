const BARS = '▁▂▃▄▅▆▇█'

/** One bar per value between the least and the greatest; a gap where there is none. Equal values are all in the middle. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const high = Math.max(...known)
  return values
    .map((value) => {
      if (value === null) return ' '
      const share = high === low ? 0.5 : (value - low) / (high - low)
      return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))] ?? ' '
    })
    .join('')
}
