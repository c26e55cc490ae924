import type { Clock } from '../contract/index.js'
import type { Doorbell, LiveWorld } from '../world/live.js'

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
