import { z } from 'zod'
import type { SignalEntry } from '../define/index.js'
import { json } from './json.js'

export const entries = z.array(
  z.object({
    seq: z.number(),
    at: z.number(),
    signal: z.string(),
    tool: z.string(),
    payload: json,
    operationId: z.string().nullable(),
  }),
)

/** An activity's side of its signal log: what was read and is not drained. */
export interface SignalLog {
  /** There may be more to read. */
  markDirty(): void
  /** Reads only when there may be more. */
  pending(): Promise<SignalEntry[]>
  /** Removes what is pending up to `seq`, and returns it. */
  take(seq: number): SignalEntry[]
}

/** `read` answers with the log's JSON after a seq. */
export function createLog(read: (after: number) => Promise<string>): SignalLog {
  let dirty = false
  let last = 0
  let waiting: SignalEntry[] = []
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const found = entries.parse(JSON.parse(await read(last)))
    // Two looks at once would find the same.
    waiting.push(...found.filter((entry) => entry.seq > last))
    last = waiting.at(-1)?.seq ?? last
  }

  return {
    markDirty() {
      dirty = true
    },
    async pending() {
      if (dirty) looking = look()
      dirty = false
      await looking
      return [...waiting]
    },
    take(seq) {
      const taken = waiting.filter((entry) => entry.seq <= seq)
      waiting = waiting.filter((entry) => entry.seq > seq)
      return taken
    },
  }
}
