import { isObject, lines } from '../../kit/index.js'
import type { Door, SignalEntry } from '../../contract/index.js'
import { createDoor } from '../door.js'
import type { DoorParts, Hearing, Outcome, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { stallOnce, stallingParams } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Stalls like `act`, but only for signals that no operation has brought. */
    block: { door: BlockDoor; wait: { stallCalls: number } }
  }
}

/** A door whose operations return late: when a signal has told the end of the latent process that they began. */
export interface BlockDoor extends Door {
  /** How long an operation is waited for (ms); 20 minutes unless told otherwise. */
  waitAtMost(timeoutMs: number): void
}

/** As `act`, but an operation returns when what it began has ended. */
export const block: SurfaceRecord<'block'> = {
  summary: 'operations and documents; an operation returns when what it began has ended, or after a time-out',
  answers:
    'An operation is answered when what it starts has ended, or when that takes too long: "completed" says which, "signals" how it ended.',
  row: { returns: 'when what it began has ended, or at a time-out', waits: 'by every operation' },
  reads: false,
  verbs: [],
  never: ['poll', 'sleep', 'sync', 'recheck'],
  open: createBlockDoor,
  ceiling: {
    summary: 'the script with operations that return when what they began has ended.',
    waits: 'by the operation itself; for any other signal it stalls like `ceiling-act`',
    params: stallingParams,
    learns: false,
    attempt: stallOnce,
  },
}

/** Longer than what most worlds do with one order, shorter than most trials. */
const BLOCK_TIMEOUT_MS = 1_200_000

/** A door whose operations return when what they began has ended. Other signals that come meanwhile are not shown. */
function createBlockDoor(parts: DoorParts): BlockDoor & Hearing {
  const { clock, record } = parts
  const listening = new Listening(parts)
  let timeoutMs = BLOCK_TIMEOUT_MS

  async function operated(outcome: Outcome): Promise<Outcome> {
    const { result, expects = [] } = outcome
    const { operationId } = result
    if (result.outcome !== 'accepted' || expects.length === 0) return outcome
    record({ kind: 'suspend', signals: expects, when: null, timeoutMs })
    const ends = ({ signal, operationId: of }: SignalEntry) => of === operationId && expects.includes(signal)
    const found = await listening.until({ timeoutMs, tool: null }, async () => {
      const ended = (await listening.take()).filter(ends)
      return ended.length === 0 ? null : ended
    })
    const signals = found ?? []
    const reason = found === null ? 'timeout' : 'signal'
    record({ kind: 'wake', reason, signals: signals.map(({ signal }) => signal) })
    listening.shown(signals)
    const at = clock.now()
    const began = isObject(result.data) ? result.data : {}
    const data = lines.withCompletion(began, { completed: found !== null, signals, returnedAt: at })
    return { ...outcome, result: { ...result, text: lines.fact(data), data, at } }
  }

  return {
    ...createDoor(parts, { operated }),
    ...listening.hearing({ wakes: false }),
    waitAtMost(ms) {
      timeoutMs = ms
    },
  }
}
