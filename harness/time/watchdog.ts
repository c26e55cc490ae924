const PERIOD_MS = 30_000

/**
 * Calls `bark` when `position` did not move for one to two periods of real time. It looks from outside, so that
 * a hand-over of the turn costs nothing. `position` is null while nothing is amiss.
 */
export function watch(position: () => number | null, bark: () => void): { end(): void } {
  let before: number | null = null
  const timer = setInterval(() => {
    const here = position()
    if (here !== null && here === before) bark()
    before = here
  }, PERIOD_MS)
  return { end: () => clearInterval(timer) }
}
