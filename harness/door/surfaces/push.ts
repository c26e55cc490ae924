import { z } from 'zod'
import type { Bell, Door, Reading, SignalEntry } from '../../contract/index.js'
import { createDoor, milliseconds } from '../door.js'
import type { DoorParts, Hearing, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { AT_ONCE } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Suspended; reads the log every so often, whatever the doorbells said. */
    push: { door: PushDoor; wait: { resyncMs: number } }
  }
}

/** A door through which the world can ring. Doorbells only mark things dirty; values come by reading. */
export interface PushDoor extends Door {
  /** Rings with the doorbells of the activity's log of signals, and with no others. */
  readonly news: Bell
  /** Subscribes the activity to a tool's properties and signals. Its values are dirty from then on. */
  focus(tool: string): Promise<void>
  unfocus(tool: string): Promise<void>
  focused(): readonly string[]
  /** Reads what is dirty (counted as `syncs`), and returns the last known readings of all focused tools. */
  sync(): Promise<Reading[]>
  /** Signals that have arrived and are not drained: a look at the log from the cursor on, which does not move. */
  pending(): Promise<SignalEntry[]>
  /** The same, and moves the cursor past them: consumed. */
  drain(): Promise<SignalEntry[]>
  /** Reads the log whatever the doorbells said: the way to survive a lost one (counted as `resyncs`). */
  resync(): Promise<void>
  /** Reads the log and all that is in focus, whatever the doorbells said (counted as `rechecks`, each read as `recheck_reads`). */
  recheck(): Promise<void>
}

/** Focus, syncs and signals. */
export const push: SurfaceRecord<'push'> = {
  summary: 'operations and documents; focus on tools, properties and signals pushed, suspension',
  answers: AT_ONCE,
  row: { returns: 'an acknowledgement', reads: 'by focus', waits: 'suspends the activity', pushed: 'yes' },
  reads: false,
  verbs: [],
  never: ['poll', 'sleep'],
  open: createPushDoor,
  ceiling: {
    summary: 'the script, suspended until its signals come.',
    waits:
      'suspended; the wait goes with the operation and is no call of its own. It reads the log every `resyncMs` (300 000), whatever the doorbells said',
    params: z.object({
      resyncMs: milliseconds().default(300_000).describe('How often the log is read without a doorbell (ms)'),
    }),
    learns: true,
    attempt: null,
  },
}

/** The push door as the session sees it. */
export interface RingingDoor extends PushDoor, Pick<Hearing, 'ring'> {
  /** Consumes what is pending up to `seq`. */
  drainThrough(seq: number): Promise<SignalEntry[]>
}

export function createPushDoor(parts: DoorParts): RingingDoor {
  const { gate, record } = parts
  const listening = new Listening(parts)

  async function drainThrough(seq: number): Promise<SignalEntry[]> {
    const taken = await listening.take(seq)
    listening.shown(taken)
    return taken
  }

  return {
    ...createDoor(parts),
    news: listening.bell,
    focused: () => listening.focused(),
    focus: (tool) =>
      gate(async () => {
        if (await listening.focus(tool)) return
        record({ kind: 'invalid', tool, args: {}, message: `No tool named "${tool}" to focus.` })
      }),
    unfocus: (tool) => gate(() => listening.unfocus(tool)),
    sync: () =>
      gate(async () => {
        const readings: Reading[] = []
        for (const tool of listening.focused()) {
          const known = await listening.read(tool)
          if (known !== null) readings.push(known)
        }
        return readings
      }),
    pending: () => gate(() => listening.pending()),
    drain: () => gate(() => drainThrough(Infinity)),
    drainThrough: (seq) => gate(() => drainThrough(seq)),
    resync: () => gate(async () => listening.resync()),
    recheck: () => gate(() => listening.recheck()),
    ring: (tool) => listening.ring(tool),
  }
}
