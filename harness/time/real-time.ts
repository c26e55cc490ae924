/** Real time as the wall clock needs it. */
export interface RealTime {
  /** Ms since some beginning; never goes back. */
  now(): number
  /** Calls `due` in about so many ms; the returned function cancels that. */
  after(delayMs: number, due: () => void): () => void
  /** Lets timers, sockets and processes have their say. */
  breath(): Promise<void>
}

/** Longer ones overflow; whoever wakes too early looks again. */
const LONGEST_MS = 2 ** 30

export const realTime: RealTime = {
  now: () => performance.now(),
  after(delayMs, due) {
    const timer = setTimeout(due, Math.min(delayMs, LONGEST_MS))
    return () => clearTimeout(timer)
  },
  breath: () => new Promise((resolve) => setImmediate(resolve)),
}
