import { z } from 'zod'
import type { Bell, Reading, SignalEntry } from '../contract/index.js'
import { assertAwaited, beginRead } from './door.js'
import type { DoorParts } from './door.js'
import { addressUri, json } from './protocol.js'
import { reading, valuesOf } from './results.js'
import type { Hearing } from './surface.js'

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

/** What a door follows: tools, and its activity's log of signals. Its surface uses this; none of it passes the gate. */
interface Listening {
  /** Rings with the doorbells of the log, and of the tool that is watched. */
  readonly bell: Bell
  /** The session's side of a door that hears everything from the start: its agent never chooses a focus. */
  hearing(how: { wakes: boolean }): Hearing
  /** Marks as dirty what rang. False where nobody follows it any more. */
  ring(tool: string | null): boolean
  /** False for what is no tool. */
  focus(tool: string): Promise<boolean>
  unfocus(tool: string): Promise<void>
  /** In the order of focus. */
  focused(): readonly string[]
  /** What is known of a tool, read anew where a doorbell rang, or the last read failed; null for what is not in focus. */
  read(tool: string): Promise<Reading | null>
  /** Signals that came and were not taken. Reads only when there may be more. */
  pending(): Promise<SignalEntry[]>
  /** The same up to `seq`, all where it is absent; none will be found again. */
  take(seq?: number): Promise<SignalEntry[]>
  /** The agent is told of these. */
  shown(entries: readonly SignalEntry[]): void
  /** Whatever the doorbells said, all may have changed. */
  resync(): void
  /**
   * Looks at once and whenever the log, or `tool`, rings, until a look finds something. After the time-out it looks once
   * more, whatever the doorbells said; null where that finds nothing.
   */
  until<T>(wait: { timeoutMs: number; tool: string | null }, look: () => Promise<T | null>): Promise<T | null>
}

export function createListening(parts: DoorParts): Listening {
  const { uuid, client, clock, self, traffic, record } = parts
  const bell = clock.bell()
  const followed = new Map<string, { dirty: boolean; last: Reading | null }>()
  const log: { followed: boolean; dirty: boolean; last: number; waiting: SignalEntry[] } = {
    followed: false,
    dirty: false,
    last: 0,
    waiting: [],
  }
  let looking = Promise.resolve()
  let watched: string | null = null

  const toolUri = (tool: string): string => addressUri({ kind: 'properties', uuid, tool })

  async function followLog(): Promise<void> {
    if (log.followed) return
    log.followed = true
    await client.follow(addressUri({ kind: 'signals', uuid, after: null }))
  }

  async function readLog(): Promise<void> {
    const text = await client.read(addressUri({ kind: 'signals', uuid, after: log.last }))
    // Two looks at once would find the same.
    log.waiting.push(...entriesSchema.parse(JSON.parse(text)).filter(({ seq }) => seq > log.last))
    log.last = log.waiting.at(-1)?.seq ?? log.last
  }

  const listening: Listening = {
    bell,
    hearing: ({ wakes }) => ({
      ring: (tool) => listening.ring(tool) && wakes && tool === null,
      async listen(tools) {
        await followLog()
        for (const tool of tools) await listening.focus(tool)
      },
    }),
    ring(tool) {
      const state = tool === null ? log : followed.get(tool)
      if (state !== undefined) state.dirty = true
      if (tool === null || tool === watched) bell.ring()
      return state !== undefined
    },
    async focus(tool) {
      if (followed.has(tool)) return true
      await followLog()
      if (!(await client.follow(toolUri(tool)))) return false
      followed.set(tool, { dirty: true, last: null })
      record({ kind: 'focus', tool })
      return true
    },
    async unfocus(tool) {
      if (!followed.delete(tool)) return
      await client.unfollow(toolUri(tool))
      record({ kind: 'unfocus', tool })
    },
    focused: () => [...followed.keys()],
    async read(tool) {
      const state = followed.get(tool)
      if (state === undefined) return null
      if (state.dirty || state.last === null) {
        const brings = await beginRead(parts, 'sync', [tool])
        if ('reason' in brings) {
          const last = state.last ?? { tool, properties: {}, readAt: clock.now() }
          return { ...last, notRead: brings.reason }
        }
        state.dirty = false
        state.last = reading.parse(JSON.parse(await client.read(toolUri(tool), brings.agoMs)))
        record({ kind: 'sync', tool, values: valuesOf(state.last) })
      }
      return state.last
    },
    async pending() {
      if (log.dirty) looking = readLog()
      log.dirty = false
      await looking
      return [...log.waiting]
    },
    async take(seq = Infinity) {
      await listening.pending()
      const taken = log.waiting.filter((entry) => entry.seq <= seq)
      log.waiting = log.waiting.filter((entry) => entry.seq > seq)
      return taken
    },
    shown(entries) {
      if (entries.length > 0) record({ kind: 'consumed', seqs: entries.map(({ seq }) => seq) })
    },
    resync() {
      log.dirty = true
      for (const state of followed.values()) state.dirty = true
      record({ kind: 'resync' })
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
          listening.resync()
          return await look()
        }
      } finally {
        watched = null
      }
    },
  }
  return listening
}
