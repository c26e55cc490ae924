import type { Clock } from '../define/index.js'
import type { Exchange } from './exchange.js'

/** What is under way on one session. */
export interface Traffic {
  inFlight: number
  closed: boolean
}

/** Every method of a door passes its gate, so that nothing happens behind the end of time, or without end in time. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

const CALLS_PER_INSTANT = 1_000

export function createGate(clock: Clock, exchange: Exchange, traffic: Traffic): Gate {
  let instant = -1
  let calls = 0
  const over = (): boolean => clock.over || traffic.closed

  function count(): void {
    if (instant !== clock.now()) calls = 0
    instant = clock.now()
    calls += 1
    if (calls > CALLS_PER_INSTANT) {
      throw new Error(`More than ${CALLS_PER_INSTANT} calls of one door at ${instant} ms: no time passes between them.`)
    }
  }

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (over()) return never()
    count()
    traffic.inFlight += 1
    try {
      const value = await work()
      await exchange.quiet()
      return over() ? await never() : value
    } catch (error) {
      // Whoever closed the session did not mean to fail its calls.
      if (over()) return await never()
      throw error
    } finally {
      traffic.inFlight -= 1
    }
  }

  return (work) => {
    const passed = pass(work)
    // Whoever does not await a call shall not bring Node down by it.
    passed.catch(() => {})
    return passed
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}
