import { z } from 'zod'
import type { Door, SignalEntry } from '../../contract/index.js'
import { createDoor } from '../door.js'
import type { DoorParts, Hearing, Outcome, SurfaceRecord } from '../door.js'
import { Listening } from '../listening.js'
import { AT_ONCE } from './act.js'

declare module '../../contract/door.js' {
  interface Surfaces {
    /** Reads the state again and again. */
    async: { door: AsyncDoor; wait: object }
  }
}

/** A door that gathers the ends of what its operations began, for an agent to take in between its turns. */
export interface AsyncDoor extends Door {
  /** Signals that end operations of this door and were not taken yet; they are consumed. Those of others are not told. */
  completions(): Promise<SignalEntry[]>
}

/** `read_properties`, and completions between turns. */
export const asynchronous: SurfaceRecord<'async'> = {
  summary: 'operations and documents, read_properties; completions are told between turns',
  answers: `${AT_ONCE} When it has ended, you are told so before your next turn, with the operationId of the acknowledgement.`,
  row: {
    returns: 'an acknowledgement',
    reads: '`read_properties`',
    pushed: 'ends of its own operations, between turns',
  },
  reads: true,
  verbs: [],
  never: ['sleep', 'sync', 'resync', 'recheck'],
  open: createAsyncDoor,
  ceiling: {
    summary: 'the script, with looks at the state as fast as it thinks.',
    waits: 'by looks as fast as it thinks',
    params: z.object({}),
    learns: true,
    async attempt({ look }) {
      await look()
      return true
    },
  },
}

function createAsyncDoor(parts: DoorParts): AsyncDoor & Hearing {
  const listening = new Listening(parts)
  const expected = new Map<string, readonly string[]>()
  async function operated(outcome: Outcome): Promise<Outcome> {
    const { result, expects = [] } = outcome
    if (result.operationId !== null && expects.length > 0) expected.set(result.operationId, expects)
    return outcome
  }

  return {
    ...createDoor(parts, { operated }),
    ...listening.hearing({ wakes: true }),
    completions: () =>
      parts.gate(async () => {
        const ends = (await listening.take()).filter(
          ({ operationId, signal }) => operationId !== null && expected.get(operationId)?.includes(signal) === true,
        )
        listening.shown(ends)
        return ends
      }),
  }
}
