import { z } from 'zod'
import type { Bell, Reading, Scalar, SignalEntry } from '../contract/index.js'
import { readingSchema, valuesOf } from './door.js'
import type { DoorParts, Hearing } from './door.js'
import { assertAwaited } from './gate.js'
import { addressUri, json } from './protocol.js'
import { beginRead } from './reads.js'

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

/** What a recheck brings. */
const focusSchema = z.object({ signals: entriesSchema, readings: z.array(readingSchema) })

function isSame(known: Reading | null, { properties }: Reading): boolean {
  if (known === null) return false
  const names = Object.keys(properties)
  return (
    names.length === Object.keys(known.properties).length &&
    names.every((name) => {
      const [before, now] = [known.properties[name], properties[name]]
      return before !== undefined && before.value === now?.value && before.at === now.at
    })
  )
}

interface Followed {
  /** The signals and properties to which the focus is narrowed; none: all. */
  only: readonly string[]
  dirty: boolean
  last: Reading | null
}

/** What a door follows: tools, and its activity's log of signals. Its surface uses this; none of it passes the gate. */
export class Listening {
  /** Rings with the doorbells of the log, and of the tool that is watched. */
  readonly bell: Bell
  readonly #followed = new Map<string, Followed>()
  readonly #log = { followed: false, dirty: false, last: 0 }
  #waiting: SignalEntry[] = []
  #looking = Promise.resolve()
  #watched: string | null = null

  constructor(private readonly parts: DoorParts) {
    this.bell = parts.clock.bell()
  }

  /** The session's side of a door that hears everything from the start: its agent never chooses a focus. */
  hearing({ wakes }: { wakes: boolean }): Hearing {
    return {
      ring: (tool) => this.ring(tool) && wakes && tool === null,
      listen: async (tools) => {
        await this.#followLog()
        for (const tool of tools) await this.focus(tool)
      },
    }
  }

  /** Marks as dirty what rang. False where nobody follows it any more. */
  ring(tool: string | null): boolean {
    const state = tool === null ? this.#log : this.#followed.get(tool)
    if (state !== undefined) state.dirty = true
    if (tool === null || tool === this.#watched) this.bell.ring()
    return state !== undefined
  }

  /** False for what is no tool, or names what the tool does not have. Another narrowing takes the place of the last. */
  async focus(tool: string, only: readonly string[] = []): Promise<boolean> {
    const known = this.#followed.get(tool)
    if (known !== undefined && JSON.stringify(known.only) === JSON.stringify(only)) return true
    await this.#followLog()
    if (!(await this.parts.client.follow(this.#uriOf(tool, only)))) return false
    this.#followed.set(tool, { only, dirty: true, last: null })
    this.parts.record({ kind: 'focus', tool, ...(only.length > 0 && { only: [...only] }) })
    return true
  }

  async unfocus(tool: string): Promise<void> {
    const known = this.#followed.get(tool)
    if (known === undefined) return
    this.#followed.delete(tool)
    await this.parts.client.unfollow(this.#uriOf(tool, known.only))
    this.parts.record({ kind: 'unfocus', tool })
  }

  /** In the order of focus. */
  focused(): string[] {
    return [...this.#followed.keys()]
  }

  /** What is known of a tool, read anew where a doorbell rang, or the last read failed; null for what is not in focus. */
  async read(tool: string): Promise<Reading | null> {
    const state = this.#followed.get(tool)
    if (state === undefined) return null
    if (!state.dirty && state.last !== null) return state.last
    const read = await this.#fetch(tool, state)
    if (read.notRead === undefined) this.parts.record({ kind: 'sync', tool, values: valuesOf(read) })
    return read
  }

  async #fetch(tool: string, state: Followed): Promise<Reading> {
    const { client, clock } = this.parts
    const brings = await beginRead(this.parts, 'sync', [tool])
    if ('reason' in brings) {
      const last = state.last ?? { tool, properties: {}, readAt: clock.now() }
      return { ...last, notRead: brings.reason }
    }
    state.dirty = false
    state.last = readingSchema.parse(JSON.parse(await client.read(this.#uriOf(tool, state.only), brings.agoMs)))
    return state.last
  }

  /** Signals that came and were not taken. Reads only when there may be more. */
  async pending(): Promise<SignalEntry[]> {
    if (this.#log.dirty) this.#looking = this.#readLog()
    this.#log.dirty = false
    await this.#looking
    return [...this.#waiting]
  }

  /** The same up to `seq`, all where it is absent; none will be found again. */
  async take(seq = Infinity): Promise<SignalEntry[]> {
    await this.pending()
    const taken = this.#waiting.filter((entry) => entry.seq <= seq)
    this.#waiting = this.#waiting.filter((entry) => entry.seq > seq)
    return taken
  }

  /** The agent is shown these. */
  shown(entries: readonly SignalEntry[]): void {
    if (entries.length > 0) this.parts.record({ kind: 'consumed', seqs: entries.map(({ seq }) => seq) })
  }

  /** Whatever the doorbells said, all may have changed. */
  resync(): void {
    for (const state of [this.#log, ...this.#followed.values()]) state.dirty = true
    this.parts.record({ kind: 'resync' })
  }

  /** Reads the log and all that is in focus, dirty or not, at once. Where that fails all of it is dirty. */
  async recheck(): Promise<void> {
    if (!this.#log.followed) return
    const { uuid, client, record } = this.parts
    const tools = this.focused()
    for (const state of [this.#log, ...this.#followed.values()]) state.dirty = true
    const brings = tools.length === 0 ? { agoMs: 0 } : await beginRead(this.parts, 'sync', tools)
    let values: Record<string, Scalar> = {}
    if ('agoMs' in brings) {
      await this.#looking
      for (const state of [this.#log, ...this.#followed.values()]) state.dirty = false
      const uri = addressUri({ kind: 'focus', uuid, after: this.#log.last })
      const { signals, readings } = focusSchema.parse(JSON.parse(await client.read(uri, brings.agoMs)))
      this.#keep(signals)
      for (const last of readings) {
        const state = this.#followed.get(last.tool)
        // What is as it was is no news: prompts that are told of it stay as they are.
        if (state !== undefined && !isSame(state.last, last)) state.last = last
        values = { ...values, ...valuesOf(last) }
      }
    }
    record({ kind: 'recheck', reads: 1 + tools.length, values })
  }

  /**
   * Looks at once and whenever the log, or `tool`, rings, until a look finds something. After the time-out it looks once
   * more, whatever the doorbells said; null where that finds nothing.
   */
  async until<T>(wait: { timeoutMs: number; tool: string | null }, look: () => Promise<T | null>): Promise<T | null> {
    const { clock, self, traffic } = this.parts
    const deadline = clock.now() + wait.timeoutMs
    this.#watched = wait.tool
    try {
      for (;;) {
        this.bell.reset()
        const found = await look()
        if (found !== null) return found
        assertAwaited(traffic, 1)
        const leftMs = deadline - clock.now()
        if (leftMs > 0 && (await self.wait(this.bell, leftMs)) === 'rung') continue
        this.resync()
        return await look()
      }
    } finally {
      this.#watched = null
    }
  }

  #uriOf(tool: string, only: readonly string[]): string {
    return addressUri({ kind: 'properties', uuid: this.parts.uuid, tool, only })
  }

  #logUri(after: number | null): string {
    return addressUri({ kind: 'signals', uuid: this.parts.uuid, after })
  }

  async #followLog(): Promise<void> {
    if (this.#log.followed) return
    this.#log.followed = true
    await this.parts.client.follow(this.#logUri(null))
  }

  async #readLog(): Promise<void> {
    const entries = entriesSchema.parse(JSON.parse(await this.parts.client.read(this.#logUri(this.#log.last))))
    this.#keep(entries)
  }

  /** Two looks at once would find the same. */
  #keep(entries: readonly SignalEntry[]): void {
    this.#waiting.push(...entries.filter(({ seq }) => seq > this.#log.last))
    this.#log.last = this.#waiting.at(-1)?.seq ?? this.#log.last
  }
}
