import { z } from 'zod'
import type {
  Bell,
  Door,
  DoorOf,
  Hand,
  Json,
  Operation,
  ScriptWait,
  Signal,
  SignalEntry,
  Surface,
  Surfaces,
} from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import { rest } from './door.js'
import type { Attempt, DoorParts, SurfaceRecord } from './door.js'
import { assertAwaited } from './gate.js'
import { entriesSchema } from './listening.js'
import { surfaces } from './surfaces/index.js'
import type { RingingDoor } from './surfaces/push.js'

const messageSchema = z
  .object({ message: z.string().optional(), error: z.string().optional() })
  .transform(({ message, error }) => message ?? error ?? '')

/** What precedes each call of a script that thinks. */
type Thought = (() => Promise<void>) | null

/** The hands of an environment's scripts, on the same wire as every agent's. */
export function createHand(
  parts: DoorParts & { role: string; door: RingingDoor; bell: Bell; waitFor: ScriptWait; thought: Thought },
): Hand {
  const { role, door, bell, clock, self, gate, traffic, waitFor, thought, record } = parts
  const how = waitFor === 'signal' ? { resyncMs: null } : waitFor
  const sleep = (delayMs: number): Promise<void> => gate(() => rest(parts, delayMs))

  return {
    role,
    async operate(operation, args = {}) {
      await thought?.()
      const { outcome, data } = await door.call(operation.tool, { ...args, action: operation.name })
      return { accepted: outcome === 'accepted', message: messageSchema.parse(data) }
    },
    waitFor: async (signal) => void (await hear(signal)),
    hear,
    sleep,
  }

  async function hear(signal: Signal<never>): Promise<Json> {
    if ('sleepMs' in how) {
      await sleep(how.sleepMs)
      return null
    }
    // A script that thinks is measured like an agent; one that does not is not measured.
    const measured = thought !== null
    if (measured) record({ kind: 'suspend', signals: [signal.name], when: null, timeoutMs: null })
    const resyncMs = 'resyncMs' in how ? how.resyncMs : null
    let lookedAt = clock.now()
    for (;;) {
      bell.reset()
      const pending = await door.pending()
      const found = pending.find((entry) => entry.tool === signal.tool && entry.signal === signal.name)
      if (found !== undefined) {
        if (measured) record({ kind: 'wake', reason: 'signal', signals: [signal.name] })
        await door.drainThrough(found.seq)
        return found.payload
      }
      assertAwaited(traffic, 0)
      // Rings without news do not put off the look.
      const leftMs = resyncMs === null ? null : lookedAt + resyncMs - clock.now()
      if ((leftMs === null || leftMs > 0) && (await self.wait(bell, leftMs)) === 'rung') continue
      await door.resync()
      lookedAt = clock.now()
    }
  }
}

/** How a script waits by the calls of a surface. */
interface Attempts {
  surface: Surface
  learns: boolean
  attempt(hand: Attempt): Promise<boolean>
}

/** Null: it is not waited by calls, but by being rung, or blindly. */
export function attemptsOf(waitFor: ScriptWait): Attempts | null {
  return waitFor === 'signal' || !('surface' in waitFor) ? null : attemptsOn(waitFor)
}

function attemptsOn<S extends Surface>(wait: { surface: S } & Surfaces[S]['wait']): Attempts | null {
  const { surface } = wait
  const record: SurfaceRecord<S> = surfaces[surface]
  const { learns, attempt } = record.ceiling
  return attempt === null ? null : { surface, learns, attempt: (hand) => attempt(hand, wait) }
}

const acknowledged = z.object({ signals: entriesSchema.default([]), at: z.number().nullable().default(null) })

/** The hands of a script that has no more than the verbs of a surface; before each of its calls it thinks. */
export function createSurfaceHand(options: {
  role: string
  door: DoorOf<Surface>
  world: LiveWorld
  attempts: Attempts
  thought: Thought
}): Hand {
  const { role, door, world, attempts, thought } = options
  /** Signals that the script has been told of. */
  const known = new Map<number, SignalEntry>()
  /** Signals that its operations have caused at once: that they came is plain, what they say is not. */
  const implied = new Map<number, SignalEntry>()
  /** Those up to here have been waited for. */
  let heard = 0
  let stalls = 0
  /** How often it had stalled when an operation began what a signal ends, by signal. */
  const begun = new Map<string, number>()
  const emitted = createInference(world, door.uuid)
  const call = async (...asked: Parameters<Door['call']>) => {
    await thought?.()
    const result = await door.call(...asked)
    const { kind, operationId, data } = result
    if (kind !== 'operation' && kind !== 'wait') return result
    const { signals, at } = acknowledged.parse(data)
    add(known, signals)
    const caused = emitted(heard).filter((entry) => entry.operationId === operationId && entry.at === at)
    if (operationId !== null) add(implied, caused)
    return result
  }

  /** A harmless call, by which nothing but time passes. */
  async function stall(): Promise<void> {
    stalls += 1
    await call('manual_retrieval', { document: world.documents[0]?.id ?? '' })
  }

  async function look({ tool }: Signal<never>): Promise<void> {
    const { outcome, at } = await call('read_properties', { tools: [tool] })
    if (outcome !== 'read') return
    add(
      known,
      emitted(heard).filter((entry) => entry.at <= at),
    )
  }

  /** The first of these that is the signal and was not waited for yet; then it has been. */
  function taken(signal: Signal<never>, among: Iterable<SignalEntry>): SignalEntry | null {
    const [first] = [...among]
      .filter(({ seq, tool, signal: name }) => seq > heard && tool === signal.tool && name === signal.name)
      .toSorted((a, b) => a.seq - b.seq)
    if (first === undefined) return null
    heard = first.seq
    return first
  }

  async function hear(signal: Signal<never>): Promise<Json> {
    // What was begun together has gone on together, whatever was waited for first.
    const since = begun.get(keyOf(signal.tool, signal.name)) ?? stalls
    for (let ordinal = 0; ; ordinal++) {
      const found = taken(signal, known.values())
      if (found !== null) return found.payload
      // Without a verb to learn what it says, nothing is gained by waiting on.
      if (!attempts.learns && taken(signal, implied.values()) !== null) return null
      const hand = { signal, ordinal, stalls: stalls - since, call, stall, look: () => look(signal) }
      if (!(await attempts.attempt(hand))) return null
    }
  }

  async function awaited(signal: Signal<never>): Promise<void> {
    if (taken(signal, [...known.values(), ...implied.values()]) === null) await hear(signal)
  }

  return {
    role,
    async operate(operation, args = {}) {
      const { outcome, data } = await call(operation.tool, { ...args, action: operation.name })
      if (outcome === 'accepted') for (const key of endsOf(world, operation)) begun.set(key, stalls)
      return { accepted: outcome === 'accepted', message: messageSchema.parse(data) }
    },
    waitFor: awaited,
    hear,
    async sleep(ms) {
      if (door.tools().some(({ kind }) => kind === 'sleep')) await call('sleep', { ms })
      else await stall()
    },
  }
}

const keyOf = (tool: string, signal: string): string => JSON.stringify([tool, signal])

/** The signals that end what an operation begins. */
function endsOf({ tools }: LiveWorld, { tool, name }: Operation): string[] {
  const operations = tools.find((each) => each.name === tool)?.operations
  const completes = operations?.find((each) => each.name === name)?.completes ?? []
  return completes.map((end) => keyOf(end.tool, end.signal))
}

function add(to: Map<number, SignalEntry>, signals: readonly SignalEntry[]): void {
  for (const entry of signals) to.set(entry.seq, entry)
}

/**
 * What a script that has read the state makes of it: every signal that was emitted until then. No policy can infer
 * more from a state; so what polls is bounded from above.
 */
function createInference(world: LiveWorld, uuid: string): (after: number) => SignalEntry[] {
  for (const { name } of world.tools) world.focus(uuid, name)
  return (after) => world.signalsAfter(uuid, after)
}
