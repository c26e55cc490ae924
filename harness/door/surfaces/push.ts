import { z } from 'zod'
import type { Bell, Door, Reading, SignalEntry, ToolSpec } from '../../contract/index.js'
import { carriedOut, createDoor, milliseconds, turnedAway, verb } from '../door.js'
import type { Called, DoorParts, Hearing, Outcome, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { complaint } from '../protocol.js'
import { createWaits, waitVerb } from '../waits.js'
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
  /** Subscribes the activity to a tool's properties and signals. Its values are dirty from then on. `only` narrows it, on the server, to signals and properties of
   * these names; of a kind of which none is named all come. */
  focus(tool: string, only?: readonly string[]): Promise<void>
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
  /** Focus and wait as calls, for an agent that leaves them to its model; `call` carries them out. */
  readonly verbs: readonly ToolSpec[]
}

const toolArguments = z.strictObject({ tools: z.array(z.string()).min(1).describe('The names of the tools') })
const FOCUS = 'Puts tools into focus: from then on their values and signals are shown to you by themselves.'
const UNFOCUS = 'Takes tools out of focus: their values and signals are shown no longer.'
const WAIT =
  'Suspends you until a signal of a tool in focus arrives, a condition on a property of one holds, or the time is over. Signals that have not been shown yet end it at once.'

export const pushVerbs = [
  verb('focus', 'focus', FOCUS, toolArguments),
  verb('unfocus', 'unfocus', UNFOCUS, toolArguments),
  waitVerb('wait', WAIT),
]

/** Focus, syncs and signals. */
export const push: SurfaceRecord<'push'> = {
  summary: 'operations and documents; focus on tools, properties and signals pushed, suspension',
  answers: `${AT_ONCE} Values and signals of the tools in focus are shown to you before your next turn, without any call.`,
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
  const { clock, gate, record, signals } = parts
  const listening = new Listening(parts)

  async function drainThrough(seq: number): Promise<SignalEntry[]> {
    const taken = await listening.take(seq)
    listening.shown(taken)
    return taken
  }

  const { wait, heed } = createWaits(parts, listening, {
    verb: 'wait',
    arrived: () => listening.pending(),
    told: () => Promise.resolve({}),
    unseen: (tool) => `${tool} is not in focus`,
  })
  /** Of several tools all are known, or nothing is done. */
  function turning(kind: 'focus' | 'unfocus', turn: (tool: string) => Promise<unknown>) {
    return async (call: Called): Promise<Outcome> => {
      const at = clock.now()
      const parsed = toolArguments.safeParse(call.args)
      if (!parsed.success) return turnedAway(kind, call, complaint(parsed.error), at)
      const { tools } = parsed.data
      const stranger = tools.find((tool) => !signals.has(tool))
      if (stranger !== undefined)
        return turnedAway(kind, call, `No tool named "${stranger}". Known: ${[...signals.keys()].join(', ')}.`, at)
      for (const tool of tools) await turn(tool)
      return carriedOut({ kind, outcome: 'focused', data: { [`${kind}ed`]: tools, at }, at })
    }
  }
  const own = {
    wait,
    focus: turning('focus', (tool) => listening.focus(tool)),
    unfocus: turning('unfocus', (tool) => listening.unfocus(tool)),
  }
  const door = createDoor(parts, { own, verbs: pushVerbs })

  return {
    ...door,
    async call(name, args) {
      const result = await door.call(name, args)
      heed(args, result)
      return result
    },
    verbs: pushVerbs,
    news: listening.bell,
    focused: () => listening.focused(),
    focus: (tool, only = []) =>
      gate(async () => {
        if (await listening.focus(tool, only)) return
        const named = only.length === 0 ? '' : ` with ${only.join(', ')}`
        record({ kind: 'invalid', tool, args: {}, message: `No tool named "${tool}"${named} to focus.` })
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
