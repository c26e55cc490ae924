import type {
  Bell,
  Clock,
  Delivery,
  DoorOf,
  Happening,
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
import type { ListedTool, Wire } from './connection.js'
import { faultyLine } from './delivery.js'
import type { DoorParts, Hearing, SurfaceRecord } from './door.js'
import { exchangeOf, perfectLine } from './doorbells.js'
import { assertAwaited, createGate } from './gate.js'
import type { Traffic } from './gate.js'
import { attemptsOf, createHand, createSurfaceHand } from './hand.js'
import { objectSchema } from './protocol.js'
import { queries } from './queries.js'
import { createReadFates } from './reads.js'
import { surfaces } from './surfaces/index.js'
import { createPushDoor, pushVerbs } from './surfaces/push.js'

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
  /** Faults of doorbells and reads, and the scenario's chance; perfect delivery where absent. */
  delivery?: { params: Delivery; random: Random }
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { world, clock, role, admit = async () => {}, wire = inMemoryWire, delivery } = options
  const exchange = exchangeOf(world, clock)
  const bell = clock.bell()
  const traffic: Traffic = { inFlight: 0, closed: false }
  const doors = new Map<string, Pick<Hearing, 'ring'> | null>()
  const watchers: ((uuid: string, tool: string | null) => void)[] = []

  const record = (happening: Happening, activity: string): void => options.record(happening, { role, activity })
  const openLine =
    delivery === undefined
      ? perfectLine
      : faultyLine({ params: delivery.params, random: delivery.random.fork(role), clock, record })
  const client = await connect({
    world,
    clock,
    exchange,
    wire: wire(),
    openLine,
    rung(uuid, tool) {
      if (doors.get(uuid)?.ring(tool) !== true) return
      bell.ring()
      for (const watcher of watchers) watcher(uuid, tool)
    },
    delivered(uuid, seq) {
      if (!clock.over) record({ kind: 'delivered', seq }, uuid)
    },
  })
  const readFates = delivery === undefined ? null : createReadFates(delivery.params, delivery.random.fork(role))
  const listed = (await client.tools()).map(specOf)
  checkNames(world.tools)
  const signals = new Map(world.tools.map((tool) => [tool.name, new Set(tool.signals.map(({ name }) => name))]))
  const shared = { signals, client, clock, traffic, admit, readFates }

  function partsOf(surface: Surface, uuid: string, self: Process): DoorParts {
    if (doors.has(uuid)) throw new Error(`The activity ${uuid} has a door already.`)
    doors.set(uuid, null)
    const { answers, reads, verbs } = surfaces[surface]
    const offered = listed.filter(({ kind }) => reads || kind !== 'poll')
    return {
      ...shared,
      uuid,
      specs: [...offered, ...verbs],
      answers,
      self,
      gate: createGate(clock, exchange, traffic),
      record: (happening) => record(happening, uuid),
    }
  }

  async function open<S extends Surface>(surface: S, uuid: string, self: Process): Promise<DoorOf<S>> {
    const opened: SurfaceRecord<S> = surfaces[surface]
    const parts = partsOf(surface, uuid, self)
    const door = opened.open(parts)
    const { ring, listen } = door
    if (ring !== undefined) doors.set(uuid, { ring })
    // Surfaces that wait without focus hear everything from the start.
    if (listen !== undefined) await parts.gate(() => listen(world.tools.map(({ name }) => name)))
    return door
  }

  return {
    bell,
    open,
    async hand(uuid, self, waitFor, thought = null) {
      const attempts = attemptsOf(waitFor)
      if (attempts !== null) {
        const door = await open(attempts.surface, uuid, self)
        return createSurfaceHand({ role, door, world, attempts, thought })
      }
      const parts = partsOf('push', uuid, self)
      const door = createPushDoor(parts)
      doors.set(uuid, door)
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

function specOf({ kind, name, description, inputSchema, actions }: ListedTool): ToolSpec {
  return { kind, name, description, parameters: objectSchema(inputSchema), actions }
}

function checkNames(tools: LiveWorld['tools']): void {
  const verbs = [...Object.values(surfaces).flatMap((record) => record.verbs), ...pushVerbs].map(({ name }) => name)
  const taken = new Set(['signals', 'documents', ...queries.map(({ name }) => name), ...verbs])
  const bad = tools.find((tool) => taken.has(tool.name))
  if (bad !== undefined) throw new Error(`The artifact "${bad.name}" has a name that every world uses for itself.`)
}
