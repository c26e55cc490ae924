import type { Bell, Clock, Delivery, DoorOf, Hand, Process, Random, Recorder, Surface } from '../define/index.js'
import type { LiveWorld } from '../world/live.js'
import { connect } from './connection.js'
import { assertAwaited, createDoor, type DoorParts } from './door.js'
import { exchangeOf } from './exchange.js'
import { createGate, type Traffic } from './gate.js'
import { faultyLine } from './faulty-line.js'
import { createHand } from './hand.js'
import { perfectLine } from './line.js'
import { createPushDoor, type RingingDoor } from './push-door.js'
import { specsFor } from './specs.js'
import { inMemoryWire, type Wire } from './transport.js'

/** One agent's connection to its world: one server and one client, and as many doors as it has activities. */
export interface Session {
  /** Rings for every door of the session. */
  readonly bell: Bell
  open<S extends Surface>(surface: S, uuid: string, self: Process): Promise<DoorOf<S>>
  /** For the environment's scripts. With `signal`, all tools come into focus at once. */
  hand(uuid: string, self: Process, waitFor: 'signal' | { sleepMs: number }): Promise<Hand>
  /** Hears of every doorbell that a door takes in: whose it is, and of what (null: the log). */
  watch(listener: (uuid: string, tool: string | null) => void): void
  /** Throws when a call of one of its doors has not been awaited: to be asked before the turn is released. */
  assertAwaited(): void
  /** What is under way then never settles. */
  close(): Promise<void>
}

export interface SessionOptions {
  world: LiveWorld
  clock: Clock
  record: Recorder
  role: string
  /** Awaited before each operation; it may never settle when a budget is spent. */
  admit?: () => Promise<void>
  wire?: () => Wire
  /** Faults of the doorbells on their way, and the scenario's chance; perfect delivery where absent. */
  delivery?: { params: Delivery; random: Random }
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { world, clock, role, admit = async () => {}, wire = inMemoryWire, delivery } = options
  const exchange = exchangeOf(world, clock)
  const bell = clock.bell()
  const traffic: Traffic = { inFlight: 0, closed: false }
  const doors = new Map<string, RingingDoor | null>()
  const watchers: ((uuid: string, tool: string | null) => void)[] = []

  const client = await connect({
    world,
    clock,
    exchange,
    wire: wire(),
    openLine:
      delivery === undefined
        ? perfectLine
        : faultyLine({
            params: delivery.params,
            random: delivery.random.fork(role),
            clock,
            record: (happening, activity) => options.record(happening, { role, activity }),
          }),
    listener: {
      rung(uuid, tool) {
        if (doors.get(uuid)?.ring(tool) !== true) return
        bell.ring()
        for (const watcher of watchers) watcher(uuid, tool)
      },
      delivered(uuid, seq) {
        if (!clock.over) options.record({ kind: 'delivered', seq }, { role, activity: uuid })
      },
    },
  })
  const listed = await client.tools()
  const specs = { act: specsFor('act', listed), poll: specsFor('poll', listed), push: specsFor('push', listed) }

  function partsOf(surface: Surface, uuid: string, self: Process): DoorParts {
    if (doors.has(uuid)) throw new Error(`The activity ${uuid} has a door already.`)
    doors.set(uuid, null)
    return {
      uuid,
      specs: specs[surface],
      client,
      clock,
      self,
      gate: createGate(clock, exchange, traffic),
      traffic,
      admit,
      record: (happening) => options.record(happening, { role, activity: uuid }),
    }
  }

  function openPush(parts: DoorParts): RingingDoor {
    const door = createPushDoor(parts)
    doors.set(parts.uuid, door)
    return door
  }

  const openers: { [S in Surface]: (parts: DoorParts) => DoorOf<S> } = {
    act: createDoor,
    poll: createDoor,
    push: openPush,
  }

  return {
    bell,
    async open<S extends Surface>(surface: S, uuid: string, self: Process): Promise<DoorOf<S>> {
      return openers[surface](partsOf(surface, uuid, self))
    },
    async hand(uuid, self, waitFor) {
      const parts = partsOf('push', uuid, self)
      const door = openPush(parts)
      if (waitFor === 'signal') for (const { name } of world.tools) await door.focus(name)
      return createHand({ ...parts, role, door, bell, waitFor })
    },
    watch: (listener) => void watchers.push(listener),
    assertAwaited: () => assertAwaited(traffic, 0),
    async close() {
      traffic.closed = true
      await client.close()
    },
  }
}
