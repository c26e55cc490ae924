import type { Clock } from '../contract/index.js'
import type { Doorbell, LiveWorld } from '../world/live.js'
import { ORDER, SEQ, addressUri, parseAddress } from './protocol.js'

/**
 * The doorbells of one world on all of its wires. Whatever a wire does with time, what the doorbells told is noted in
 * the order in which they left, and no call returns before all of them were handled: so traces do not depend on it.
 */
export class Exchange {
  #orders = 0
  #underway = 0
  #notes: { order: number; note: () => void }[] = []
  #waiting: (() => void)[] = []

  constructor(private readonly clock: Clock) {}

  /** A place in the order of what leaves. */
  order(): number {
    return this.#orders++
  }

  sent(): void {
    this.#underway += 1
    this.clock.sent()
  }

  /** `note` runs when all that had left before is handled too. */
  handled(order: number, note: () => void): void {
    this.#notes.push({ order, note })
    this.lost()
  }

  /** What was sent is not under way any more; without `handled` it will not arrive. */
  lost(): void {
    this.#underway -= 1
    if (this.#underway === 0) this.#flush()
    this.clock.handled()
  }

  quiet(): Promise<void> {
    return this.#underway === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  #flush(): void {
    const [ready, resume] = [this.#notes.toSorted((a, b) => a.order - b.order), this.#waiting]
    this.#notes = []
    this.#waiting = []
    for (const { note } of ready) note()
    for (const go of resume) go()
  }
}

const exchanges = new WeakMap<LiveWorld, Exchange>()

/** All sessions of a world share one, since a world has one order of what it publishes. */
export function exchangeOf(world: LiveWorld, clock: Clock): Exchange {
  const exchange = exchanges.get(world) ?? new Exchange(clock)
  exchanges.set(world, exchange)
  return exchange
}

/** What lies between a world and one client, as far as doorbells are concerned. */
interface Line {
  /** The doorbells of one step leave. */
  carry(bells: readonly Doorbell[]): void
  /** What is under way never arrives. */
  close(): void
}

/** The client's end of a line. */
export interface LineEnd {
  /** A doorbell arrives. */
  ring(bell: Doorbell): void
  /** All that the client follows now. */
  followed(): Doorbell[]
}
export type OpenLine = (end: LineEnd) => Line

/** Every doorbell arrives at once, and in order. */
export const perfectLine: OpenLine = (end) => ({
  carry(bells) {
    for (const bell of bells) end.ring(bell)
  },
  close() {},
})

/** What one client follows, and the doorbells that it therefore gets, over its line. */
export function createSubscriptions(options: {
  world: LiveWorld
  exchange: Exchange
  openLine: OpenLine
  clock: Clock
  notify: (params: { uri: string; _meta: Record<string, unknown> }) => Promise<void>
}) {
  const { world, exchange, openLine, clock, notify } = options
  /** By the URI without what it is narrowed to, with the one that its client knows. */
  const followed = new Map<string, { bell: Doorbell; as: string }>()
  const told = new Map<string, number>()

  function ring(bell: Doorbell): void {
    const uri = uriOf(bell)
    const known = followed.get(uri)
    if (known === undefined) return
    const meta: Record<string, unknown> = { [ORDER]: exchange.order() }
    if (bell.tool === null) {
      const seq = world.signalsAfter(bell.activity, told.get(uri) ?? 0).at(-1)?.seq
      // Without news it delivers nothing.
      if (seq !== undefined) {
        told.set(uri, seq)
        meta[SEQ] = seq
      }
    }
    // A client that has gone needs no doorbell.
    notify({ uri: known.as, _meta: meta }).catch(() => {})
  }

  const line = openLine({ ring, followed: () => [...followed.values()].map(({ bell }) => bell) })
  const detach = world.onDoorbells((bells) => {
    if (!clock.over) line.carry(bells.filter((bell) => followed.has(uriOf(bell))))
  })

  function remove(uri: string): void {
    const address = parseAddress(uri)
    if (address === null || address.kind === 'document' || address.kind === 'focus') return
    const { uuid: activity } = address
    const bell = { activity, tool: address.kind === 'properties' ? address.tool : null }
    if (followed.delete(uriOf(bell)) && bell.tool !== null) world.unfocus(activity, bell.tool)
  }

  return {
    /** False for what cannot be followed. To follow a tool's properties is to focus it, narrowed to what its URI names. */
    add(uri: string): boolean {
      const address = parseAddress(uri)
      if (address?.kind === 'properties' && world.tools.some((tool) => tool.name === address.tool)) {
        if (!world.focus(address.uuid, address.tool, address.only)) return false
        const bell = { activity: address.uuid, tool: address.tool }
        followed.set(uriOf(bell), { bell, as: uri })
        return true
      }
      if (address?.kind !== 'signals' || address.after !== null) return false
      followed.set(uri, { bell: { activity: address.uuid, tool: null }, as: uri })
      return true
    },
    remove,
    close() {
      detach()
      line.close()
      for (const uri of followed.keys()) remove(uri)
    },
  }
}

function uriOf({ activity, tool }: Doorbell): string {
  return addressUri(
    tool === null ? { kind: 'signals', uuid: activity, after: null } : { kind: 'properties', uuid: activity, tool },
  )
}
