import { z } from 'zod'
import type { Reading, SignalEntry } from '../contract/index.js'
import { addressUri } from './address.js'
import { assertAwaited } from './door.js'
import type { DoorParts } from './door.js'
import { json } from './json.js'
import { reading, valuesOf } from './results.js'

export const entriesSchema = z.array(
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
interface SignalLog {
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
    const found = entriesSchema.parse(JSON.parse(await read(last)))
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

/** A door that hears by itself: its agent never chooses a focus. */
export interface Hearing {
  /** A doorbell: of a tool's properties, or of the log (null). True where it is to wake the agent itself. */
  ring(tool: string | null): boolean
  /** Follows these tools and the log, from now on. */
  listen(tools: readonly string[]): Promise<void>
}

/** The side of a listening door that its own verbs use; none of it passes the gate. */
interface Listening extends Hearing {
  /** Signals that came since the last taking, which none will find again. Reads only when there may be more. */
  take(): Promise<SignalEntry[]>
  /** What is known of a tool, read anew where a doorbell rang; null for what is no tool. */
  read(tool: string): Promise<Reading | null>
  /** Notes that these were shown to the agent. */
  shown(entries: readonly SignalEntry[]): void
  /**
   * Waits, on the agent's side, until `look` finds something. At the time-out it looks once more, whatever the doorbells
   * said; null when it finds nothing then. Only doorbells of the log, or of `tool`, wake it.
   */
  until<T>(wait: { timeoutMs: number; tool: string | null }, look: () => Promise<T | null>): Promise<T | null>
}

export function createListening({ uuid, client, clock, self, traffic, record }: DoorParts, wakes: boolean): Listening {
  const bell = clock.bell()
  const log = createLog((after) => client.read(addressUri({ kind: 'signals', uuid, after })))
  const followed = new Map<string, { dirty: boolean; last: Reading | null }>()
  let watched: string | null = null

  const toolUri = (tool: string): string => addressUri({ kind: 'properties', uuid, tool })

  return {
    ring(tool) {
      if (tool === null) log.markDirty()
      const state = tool === null ? undefined : followed.get(tool)
      if (state !== undefined) state.dirty = true
      if (tool === null || tool === watched) bell.ring()
      return wakes && tool === null
    },
    async listen(tools) {
      await client.follow(addressUri({ kind: 'signals', uuid, after: null }))
      for (const tool of tools) {
        if (!(await client.follow(toolUri(tool)))) continue
        followed.set(tool, { dirty: true, last: null })
        record({ kind: 'focus', tool })
      }
    },
    async take() {
      await log.pending()
      return log.take(Infinity)
    },
    async read(tool) {
      const state = followed.get(tool)
      if (state === undefined) return null
      if (state.dirty || state.last === null) {
        state.dirty = false
        state.last = reading.parse(JSON.parse(await client.read(toolUri(tool))))
        record({ kind: 'sync', tool, values: valuesOf(state.last) })
      }
      return state.last
    },
    shown(entries) {
      if (entries.length > 0) record({ kind: 'consumed', seqs: entries.map(({ seq }) => seq) })
    },
    async until({ timeoutMs, tool }, look) {
      const deadline = clock.now() + timeoutMs
      watched = tool
      try {
        for (;;) {
          bell.reset()
          const found = await look()
          if (found !== null) return found
          assertAwaited(traffic, 1)
          const leftMs = deadline - clock.now()
          if (leftMs > 0 && (await self.wait(bell, leftMs)) === 'rung') continue
          record({ kind: 'resync' })
          log.markDirty()
          for (const state of followed.values()) state.dirty = true
          return await look()
        }
      } finally {
        watched = null
      }
    },
  }
}
