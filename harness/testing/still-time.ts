import type { RealTime } from '../sim/wall-clock.js'
import { breath } from './clock/stage.js'

/** More than any request or notification of the clock's stories takes. */
const STILL = 40

/**
 * A real time that moves only where nobody has anything to do any more: what is under way has come in before. So stories
 * of a clock on real time can be told to the millisecond, and take none.
 */
export function createStillTime(): RealTime & { pass(ms: number): void } {
  let now = 0
  let isMoving = false
  const timers = new Set<{ at: number; due: () => void }>()

  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    while (timers.size > 0) {
      await breath(STILL)
      const [first] = [...timers].toSorted((a, b) => a.at - b.at)
      if (first === undefined) break
      now = Math.max(now, first.at)
      timers.delete(first)
      first.due()
    }
    isMoving = false
  }

  return {
    now: () => now,
    pass: (ms) => void (now += ms),
    after(delayMs, due) {
      const timer = { at: now + delayMs, due }
      timers.add(timer)
      void move()
      return () => void timers.delete(timer)
    },
    breath: () => breath(1),
  }
}
