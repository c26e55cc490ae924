import type { Clock } from '../contract/index.js'
import type { Doorbell, LiveWorld } from '../world/live.js'
import { ORDER, SEQ, addressUri, parseAddress } from './protocol.js'

/**
 * The doorbells of one world on all of its wires. Whatever a wire does with time, what the doorbells told is noted in
 * the order in which they left, and no call returns before all of them were handled: so traces do not depend on it.
 */
export interface Exchange {
  /** The returned function ends the attachment. */
  attach(listener: (bells: readonly Doorbell[]) => void): () => void
  /** A place in the order of what leaves. */
  order(): number
  sent(): void
  /** `note` runs when all that had left before is handled too. */
  handled(order: number, note: () => void): void
  /** What was sent will not arrive. */
  lost(): void
  quiet(): Promise<void>
}

const exchanges = new WeakMap<LiveWorld, Exchange>()

/** All sessions of a world share one, since a world has one listener. */
export function exchangeOf(world: LiveWorld, clock: Clock): Exchange {
  const known = exchanges.get(world)
  if (known !== undefined) return known
  const created = createExchange(clock)
  world.onDoorbells((bells) => created.ring(bells))
  exchanges.set(world, created)
  return created
}

function createExchange(clock: Clock): Exchange & { ring(bells: readonly Doorbell[]): void } {
  const listeners = new Set<(bells: readonly Doorbell[]) => void>()
  let orders = 0
  let underway = 0
  let notes: { order: number; note: () => void }[] = []
  let waiting: (() => void)[] = []

  function flush(): void {
    const [ready, resume] = [notes.toSorted((a, b) => a.order - b.order), waiting]
    notes = []
    waiting = []
    for (const { note } of ready) note()
    for (const go of resume) go()
  }

  function arrived(): void {
    underway -= 1
    if (underway === 0) flush()
    clock.handled()
  }

  return {
    ring(bells) {
      if (clock.over) return
      for (const listener of listeners) listener(bells)
    },
    attach(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    order: () => orders++,
    sent() {
      underway += 1
      clock.sent()
    },
    handled(order, note) {
      notes.push({ order, note })
      arrived()
    },
    lost: arrived,
    quiet: () => (underway === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
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

export interface Subscriptions {
  /** False for what cannot be followed. To follow a tool's properties is to focus it. */
  add(uri: string): boolean
  remove(uri: string): void
  close(): void
}

/** What one client follows, and the doorbells that it therefore gets, over its line. */
export function createSubscriptions(options: {
  world: LiveWorld
  exchange: Exchange
  openLine: OpenLine
  notify: (params: { uri: string; _meta: Record<string, unknown> }) => Promise<void>
}): Subscriptions {
  const { world, exchange, openLine, notify } = options
  const followed = new Map<string, Doorbell>()
  const told = new Map<string, number>()

  function ring(bell: Doorbell): void {
    const uri = uriOf(bell)
    if (!followed.has(uri)) return
    const meta: Record<string, unknown> = { [ORDER]: exchange.order() }
    if (bell.tool === null) {
      const before = told.get(uri) ?? 0
      const seq = world.signalsAfter(bell.activity, before).at(-1)?.seq
      // Without news it delivers nothing.
      if (seq !== undefined) {
        told.set(uri, seq)
        meta[SEQ] = seq
      }
    }
    // A client that has gone needs no doorbell.
    notify({ uri, _meta: meta }).catch(() => {})
  }

  const line = openLine({ ring, followed: () => [...followed.values()] })
  const detach = exchange.attach((bells) => line.carry(bells.filter((bell) => followed.has(uriOf(bell)))))

  function remove(uri: string): void {
    const address = parseAddress(uri)
    if (!followed.delete(uri)) return
    if (address?.kind === 'properties') world.unfocus(address.uuid, address.tool)
  }

  return {
    add(uri) {
      const address = parseAddress(uri)
      if (address?.kind === 'properties' && world.tools.some((tool) => tool.name === address.tool)) {
        world.focus(address.uuid, address.tool)
        followed.set(uri, { activity: address.uuid, tool: address.tool })
        return true
      }
      if (address?.kind !== 'signals' || address.after !== null) return false
      followed.set(uri, { activity: address.uuid, tool: null })
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
