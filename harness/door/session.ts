import type {
  Bell,
  Clock,
  Delivery,
  DoorOf,
  Hand,
  Process,
  Random,
  Recorder,
  ScriptWait,
  Surface,
  ToolSpec,
} from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import { connect, inMemoryWire } from './connection.js'
import type { Wire } from './connection.js'
import { faultyLine } from './delivery.js'
import { assertAwaited, createDoor, createGate } from './door.js'
import type { DoorParts, Traffic } from './door.js'
import { exchangeOf } from './exchange.js'
import { createHand, createSurfaceHand, isByVerbs } from './hand.js'
import { perfectLine } from './line.js'
import type { Hearing } from './listening.js'
import { specsFor } from './specs.js'
import { createAsyncDoor } from './surfaces/async.js'
import { createAwaitDoor } from './surfaces/await.js'
import { createBlockDoor } from './surfaces/block.js'
import { createPushDoor } from './surfaces/push.js'
import type { RingingDoor } from './surfaces/push.js'

/** One agent's connection to its world: one server and one client, and as many doors as it has activities. */
export interface Session {
  /** Rings for every door of the session. */
  readonly bell: Bell
  open<S extends Surface>(surface: S, uuid: string, self: Process): Promise<DoorOf<S>>
  /** For the environment's scripts. Who is to be rung has all tools in focus at once. `thought` precedes each call. */
  hand(uuid: string, self: Process, waitFor: ScriptWait, thought?: (() => Promise<void>) | null): Promise<Hand>
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
  const doors = new Map<string, Pick<Hearing, 'ring'> | null>()
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
  const specs: { [S in Surface]: readonly ToolSpec[] } = {
    act: specsFor('act', listed),
    block: specsFor('block', listed),
    poll: specsFor('poll', listed),
    await: specsFor('await', listed),
    async: specsFor('async', listed),
    push: specsFor('push', listed),
  }

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

  /** Surfaces that wait without focus hear everything from the start. */
  async function openHearing<D extends Hearing>(parts: DoorParts, create: (from: DoorParts) => D): Promise<D> {
    const door = create(parts)
    doors.set(parts.uuid, door)
    await parts.gate(() => door.listen(world.tools.map(({ name }) => name)))
    return door
  }

  const openers: { [S in Surface]: (parts: DoorParts) => DoorOf<S> | Promise<DoorOf<S>> } = {
    act: (parts) => createDoor(parts),
    block: (parts) => openHearing(parts, createBlockDoor),
    poll: (parts) => createDoor(parts),
    await: (parts) => openHearing(parts, createAwaitDoor),
    async: (parts) => openHearing(parts, createAsyncDoor),
    push: openPush,
  }

  return {
    bell,
    async open<S extends Surface>(surface: S, uuid: string, self: Process): Promise<DoorOf<S>> {
      return openers[surface](partsOf(surface, uuid, self))
    },
    async hand(uuid, self, waitFor, thought = null) {
      if (isByVerbs(waitFor)) {
        const { surface } = waitFor
        const door = await openers[surface](partsOf(surface, uuid, self))
        return createSurfaceHand({ role, door, world, waitFor, thought })
      }
      const parts = partsOf('push', uuid, self)
      const door = openPush(parts)
      if (waitFor === 'signal' || 'surface' in waitFor) for (const { name } of world.tools) await door.focus(name)
      return createHand({ ...parts, role, door, bell, waitFor, thought })
    },
    watch: (listener) => void watchers.push(listener),
    assertAwaited: () => assertAwaited(traffic, 0),
    async close() {
      traffic.closed = true
      await client.close()
    },
  }
}
