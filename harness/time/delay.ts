/** The delay itself, if it is one: NaN or a negative number would silently break the order of the queue. */
export function checkedDelay(delayMs: number): number {
  if (Number.isFinite(delayMs) && delayMs >= 0) return delayMs
  throw new RangeError(`A delay is a finite number of ms, 0 or more, not ${delayMs}.`)
}
