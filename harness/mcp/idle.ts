import type { Clock, Delivery, Random } from '../define/index.js'
import type { Doorbell } from '../world/live.js'
import type { Cause } from './fate.js'
import type { LineEnd } from './line.js'

/** Doorbells without news, which yet may bring what a lost one had to tell. */
export interface Idle {
  /** A doorbell of a change was lost. */
  lost(bell: Doorbell): void
  rung(bell: Doorbell): void
  close(): void
}

/** What rings again and again: telemetry the tools, a storm the logs as well. */
interface Pulse {
  nextAt: number
  ringsLogs: boolean
}

/**
 * Telemetry and storms are ambient: they keep no trial alive. But where the doorbell of a change was lost, the next of
 * them may wake somebody: until it has rung, the trial is not dead.
 */
export function createIdle(options: {
  params: Delivery
  random: Random
  clock: Clock
  end: LineEnd
  ring: (bells: Doorbell[], cause: Cause) => void
}): Idle {
  const { params, random, clock, end, ring } = options
  const pulses: Pulse[] = []
  /** What was lost and has not rung since, with what keeps the trial alive meanwhile. */
  const owed = new Map<string, () => void>()
  let closed = false

  function pulse(ringsLogs: boolean, gapMs: (ordinal: number) => number, beat: () => void): void {
    const self: Pulse = { nextAt: 0, ringsLogs }
    pulses.push(self)
    const schedule = (ordinal: number): void => {
      const gap = gapMs(ordinal)
      self.nextAt = clock.now() + gap
      const ambient = { ambient: true }
      clock.after(
        gap,
        () => {
          if (closed || clock.over) return
          schedule(ordinal + 1)
          beat()
        },
        ambient,
      )
    }
    schedule(0)
  }

  const { telemetryMs, stormEveryMs, stormDoorbells } = params
  // Where every doorbell is lost, these are, too.
  if (telemetryMs !== null && params.doorbellDrop < 1) {
    const tools = (): Doorbell[] => end.followed().filter(({ tool }) => tool !== null)
    pulse(
      false,
      () => telemetryMs,
      () => ring(tools(), 'telemetry'),
    )
  }
  if (stormEveryMs !== null && params.doorbellDrop < 1) {
    const gap = (ordinal: number): number =>
      Math.round(stormEveryMs * random.stream('storm gap', ordinal).uniform(0.5, 1.5))
    const all = (): Doorbell[] => Array.from({ length: stormDoorbells }, () => end.followed()).flat()
    pulse(true, gap, () => ring(all(), 'storm'))
  }

  const keyOf = ({ activity, tool }: Doorbell): string => JSON.stringify([activity, tool])

  function hope(bell: Doorbell): void {
    const next = Math.min(...pulses.filter(({ ringsLogs }) => ringsLogs || bell.tool !== null).map((p) => p.nextAt))
    if (next === Infinity) return
    // Rounded up: an instant before its time the doorbell has not rung.
    const cancel = clock.after(Math.ceil(next - clock.now()), () => {
      owed.delete(keyOf(bell))
      if (closed || clock.over) return
      if (end.followed().some((followed) => keyOf(followed) === keyOf(bell))) hope(bell)
    })
    owed.set(keyOf(bell), cancel)
  }

  return {
    lost(bell) {
      if (!owed.has(keyOf(bell))) hope(bell)
    },
    rung(bell) {
      owed.get(keyOf(bell))?.()
      owed.delete(keyOf(bell))
    },
    close() {
      closed = true
      for (const cancel of owed.values()) cancel()
    },
  }
}
