import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Why calls to an endpoint wait, and until when (ms since 1970; null: until it answers again). */
export interface Waiting {
  /** Its host. */
  endpoint: string
  cause: string
  untilMs: number | null
}

export interface GateOptions {
  endpoint: string
  /** Calls in flight at most; where the endpoint says that it is too much, there are fewer for a while. */
  concurrency: number
  /** Requests and tokens per minute; absent: as many as the endpoint takes. */
  rpm?: number | undefined
  tpm?: number | undefined
  /** Real time, in ms. */
  now?: () => number
  sleep?: ((delayMs: number) => Promise<unknown>) | undefined
  /** In [0, 1). */
  jitter?: (() => number) | undefined
  onWait?: ((waiting: Waiting) => void) | undefined
}

/** What became of a try. */
export type Tried = 'fine' | 'limited' | 'broken' | 'refused'

/** A call on its way through the gate, from its first try to its last. */
export interface Passage {
  /** Waits for a free place and for the endpoint's limits. */
  enter(tokens: () => number): Promise<void>
  leave(tried: Tried): void
  /** Waits between two tries. `asked`: the endpoint's own wish, which all calls heed. */
  rest(delayMs: number, cause: string, asked: boolean): Promise<void>
  /**
   * The call has failed through. `alone`: it alone. `down`: others have as well, and this call waits for the endpoint like
   * all others. `gone`: they have waited long enough.
   */
  failedThrough(cause: string): 'alone' | 'down' | 'gone'
}

/** How many different calls must have failed through, with no success between, before an endpoint counts as down. */
const DOWN_AFTER = 3
const FIRST_PROBE_MS = 5_000
const LONGEST_PROBE_MS = 60_000
/** A run whose endpoint is down for longer stops, and can be resumed. */
const LONGEST_DOWN_MS = 3_600_000
const MINUTE_MS = 60_000
/** Shorter waits are not worth a line. */
const SHOWN_MS = 1_000

/** One per endpoint: all calls to it pass, of whatever trial. */
export function createGate({
  endpoint,
  concurrency,
  rpm,
  tpm,
  now = Date.now,
  sleep = delay,
  jitter = spread,
  onWait,
}: GateOptions) {
  let places = concurrency
  let inFlight = 0
  let successes = 0
  let failures = 0
  /** Of the circuit: null while the endpoint is not known to be down. */
  let down: { cause: string; probeMs: number; sinceMs: number } | null = null
  let hold: { untilMs: number; cause: string; by: Passage } | null = null
  const queue: (() => void)[] = []
  const reserved: { atMs: number; tokens: number }[] = []
  let lastShrunkMs = -Infinity

  const admit = (): void => {
    while (queue.length > 0 && inFlight < (down === null ? Math.floor(places) : 1)) {
      inFlight += 1
      queue.shift()?.()
    }
  }
  const place = (): Promise<void> =>
    new Promise((resolve) => {
      queue.push(resolve)
      admit()
    })
  const pause = async (delayMs: number, cause: string, untilKnown = true): Promise<void> => {
    if (delayMs < 0) return
    if (delayMs >= SHOWN_MS || !untilKnown) onWait?.({ endpoint, cause, untilMs: untilKnown ? now() + delayMs : null })
    await sleep(delayMs)
  }

  /** The earliest moment at which a call of so many tokens is within the limits; it is booked. */
  function book(tokens: number): number {
    let atMs = now()
    while (reserved.length > 0 && (reserved[0]?.atMs ?? 0) <= atMs - MINUTE_MS) reserved.shift()
    for (const [index, { atMs: began }] of reserved.entries()) {
      const rest = reserved.slice(index).filter((each) => each.atMs > atMs - MINUTE_MS)
      const fits =
        (rpm === undefined || rest.length + 1 <= rpm) &&
        (tpm === undefined || rest.length === 0 || rest.reduce((sum, each) => sum + each.tokens, tokens) <= tpm)
      if (fits) break
      atMs = Math.max(atMs, began + MINUTE_MS)
    }
    reserved.push({ atMs, tokens })
    return atMs
  }

  function open(): Passage {
    const passage: Passage = {
      async enter(tokens) {
        await place()
        if (down !== null) {
          const { cause, probeMs } = down
          down.probeMs = Math.min(LONGEST_PROBE_MS, probeMs * 2)
          await pause(Math.round(probeMs * (1 + jitter() / 10)), `it is down (${cause})`, false)
        }
        if (hold !== null && hold.by !== passage) {
          const { untilMs, cause } = hold
          await pause(untilMs - now(), cause)
        }
        if (rpm === undefined && tpm === undefined) return
        const inMs = book(tpm === undefined ? 0 : tokens()) - now()
        if (inMs > 0) await pause(inMs, 'its limits per minute')
      },
      leave(tried) {
        inFlight -= 1
        if (tried === 'fine' || tried === 'refused') {
          failures = 0
          down = null
        }
        if (tried === 'fine' && ++successes >= 2 * places) {
          places = Math.min(concurrency, places + 1)
          successes = 0
        }
        // Calls that were under way together tell of one limit.
        if (tried === 'limited' && now() - lastShrunkMs > SHOWN_MS) {
          places = Math.max(1, Math.floor(places * 0.8))
          successes = 0
          lastShrunkMs = now()
        }
        admit()
      },
      async rest(delayMs, cause, asked) {
        if (asked) hold = { untilMs: now() + delayMs, cause, by: passage }
        await pause(delayMs, cause)
      },
      failedThrough(cause) {
        failures += 1
        if (down === null && failures >= DOWN_AFTER) down = { cause, probeMs: FIRST_PROBE_MS, sinceMs: now() }
        if (down === null) return 'alone'
        return now() - down.sinceMs > LONGEST_DOWN_MS ? 'gone' : 'down'
      },
    }
    return passage
  }

  return { open, places: () => places }
}

export const spread = (): number => randomInt(1_000_000) / 1_000_000

export type Gate = ReturnType<typeof createGate>
