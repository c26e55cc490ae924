import { z } from 'zod'
import type { Door, Reading, SignalEntry } from '../../contract/index.js'
import { createDoor, milliseconds, sleepVerb } from '../door.js'
import type { DoorParts, Hearing, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { createWaits, waitVerb } from '../waits.js'
import { AT_ONCE } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Calls `wait_for` until the signal has come. */
    await: { door: Door; wait: { waitMs: number } }
  }
}

const waitFor = waitVerb(
  'wait_for',
  'Waits until a signal arrives, a condition on a property holds, or the time is over. Signals that have not been shown yet end it at once; all of them are shown.',
)

/** Also `read_properties`, `sleep` and `wait_for`. */
export const awaiting: SurfaceRecord<'await'> = {
  summary: 'operations and documents, read_properties, sleep, wait_for',
  answers: AT_ONCE,
  row: { returns: 'an acknowledgement', reads: '`read_properties`', sleeps: '`sleep`', waits: '`wait_for`' },
  reads: true,
  verbs: [sleepVerb, waitFor],
  never: [],
  open: createAwaitDoor,
  ceiling: {
    summary: 'the script, which waits for its signals by calls that return when they have come.',
    waits: 'by `wait_for`',
    params: z.object({ waitMs: milliseconds().default(300_000).describe('Time-out of one wait (ms)') }),
    learns: true,
    async attempt({ signal, call }, { waitMs }) {
      await call('wait_for', { signals: [signal.name], timeoutMs: waitMs })
      return true
    },
  },
}

/** A door with `wait_for`. Signals count from the last one that was shown. */
function createAwaitDoor(parts: DoorParts): Door & Hearing {
  const listening = new Listening(parts)
  /** What came and has not been shown. */
  const unseen: SignalEntry[] = []
  const { wait, heed } = createWaits(parts, listening, {
    verb: 'wait_for',
    async arrived() {
      unseen.push(...(await listening.take()))
      return unseen
    },
    async told(when) {
      const signals = unseen.splice(0).map((entry) => ({ ...entry }))
      listening.shown(signals)
      const last = when === null ? null : await listening.read(when.tool)
      return {
        signals,
        ...(when !== null && { observed: seen(when, last) }),
        ...(last?.notRead !== undefined && { notRead: [last.tool], reason: last.notRead }),
      }
    },
    unseen: (tool) => `no tool named "${tool}"`,
  })
  const door = createDoor(parts, { own: { wait } })
  return {
    ...door,
    ...listening.hearing({ wakes: false }),
    async call(name, args) {
      const result = await door.call(name, args)
      heed(args, result)
      return result
    },
  }
}

/** The condition's own property as the last look found it. */
function seen({ tool, property }: { tool: string; property: string }, reading: Reading | null) {
  const known = reading?.properties[property]
  if (known === undefined || reading?.notRead !== undefined) return []
  return [{ tool, properties: { [property]: known } }]
}
