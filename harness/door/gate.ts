import type { Clock } from '../contract/index.js'
import type { Exchange } from './doorbells.js'

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

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (over()) return never()
    calls = instant === clock.now() ? calls + 1 : 1
    instant = clock.now()
    if (calls > CALLS_PER_INSTANT)
      throw new Error(`More than ${CALLS_PER_INSTANT} calls of one door at ${instant} ms: no time passes between them.`)
    traffic.inFlight += 1
    try {
      const value = await work()
      await exchange.quiet()
      return over() ? await never() : value
    } catch (error) {
      // Calls that are open when the session closes never settle.
      if (over()) return await never()
      throw error
    } finally {
      traffic.inFlight -= 1
    }
  }

  return (work) => {
    const passed = pass(work)
    // A call that nobody awaits must not end the process when it fails.
    passed.catch(() => {})
    return passed
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}

/** A call that outlives its turn would act in somebody else's. */
export function assertAwaited({ inFlight }: Traffic, allowed: number): void {
  if (inFlight > allowed) throw new Error('A call of a door was not awaited before a wait.')
}
