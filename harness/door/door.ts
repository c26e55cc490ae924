import { z } from 'zod'
import { lines } from '../kit/index.js'
import type { Clock, Door, Happening, JsonObject, Process, ToolSpec } from '../contract/index.js'
import type { WorldClient } from './connection.js'
import type { Exchange } from './doorbells.js'
import type { ReadFate, ReadFates, ReadFault } from './reads.js'
import { complaint, objectSchema } from './protocol.js'
import { failedRead, outcomeOf, turnedAway } from './results.js'
import type { Outcome } from './results.js'

/** What is under way on one session. */
export interface Traffic {
  inFlight: number
  closed: boolean
}

/** Every method of a door passes its gate, so that nothing happens behind the end of time, or without end in time. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>

const CALLS_PER_INSTANT = 1_000

export function createGate(clock: Clock, exchange: Exchange, traffic: Traffic): Gate {
  let instant = -1
  let calls = 0
  const over = (): boolean => clock.over || traffic.closed

  function count(): void {
    if (instant !== clock.now()) calls = 0
    instant = clock.now()
    calls += 1
    if (calls > CALLS_PER_INSTANT) {
      throw new Error(`More than ${CALLS_PER_INSTANT} calls of one door at ${instant} ms: no time passes between them.`)
    }
  }

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (over()) return never()
    count()
    traffic.inFlight += 1
    try {
      const value = await work()
      await exchange.quiet()
      return over() ? await never() : value
    } catch (error) {
      // Whoever closed the session did not mean to fail its calls.
      if (over()) return await never()
      throw error
    } finally {
      traffic.inFlight -= 1
    }
  }

  return (work) => {
    const passed = pass(work)
    // Whoever does not await a call shall not bring Node down by it.
    passed.catch(() => {})
    return passed
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}

/** What all doors of a session are made of. */
export interface DoorParts {
  uuid: string
  specs: readonly ToolSpec[]
  answers: string
  /** What the tools of the world may signal. */
  signals: ReadonlySet<string>
  client: WorldClient
  clock: Clock
  self: Process
  gate: Gate
  traffic: Traffic
  admit: () => Promise<void>
  record: (happening: Happening) => void
  /** Null where every read of state succeeds. */
  readFates: ReadFates | null
}

/** What a surface does otherwise than the plain door. */
interface Ways {
  /** Carries out `wait_for`. */
  wait?: (call: Called) => Promise<Outcome>
  /** Takes in what an operation was answered; returns what its caller is told, and when. */
  operated?: (outcome: Outcome) => Promise<Outcome>
}
export interface Called {
  name: string
  args: JsonObject
}

export function createDoor(parts: DoorParts, ways: Ways = {}): Door {
  const { uuid, specs, answers, client, clock, gate, admit, record } = parts
  const byName = new Map(specs.map((spec) => [spec.name, spec]))

  async function dispatch(call: Called): Promise<Outcome> {
    const kind = byName.get(call.name)?.kind
    if (kind === 'wait' && ways.wait !== undefined) return ways.wait(call)
    if (kind === undefined || kind === 'wait') {
      const known = [...byName.keys()].join(', ')
      return turnedAway('unknown', call, `No tool named "${call.name}". Known: ${known}.`, clock.now())
    }
    if (kind === 'sleep') return sleep(parts, call)
    if (kind === 'operation') await admit()
    const brings = kind === 'poll' ? await beginRead(parts, 'poll', toolsIn(call.args)) : { agoMs: 0 }
    if ('reason' in brings) return failedRead(toolsIn(call.args), brings.reason, clock.now())
    const outcome = outcomeOf(kind, call, await client.call(call.name, { ...call.args, uuid }, brings.agoMs))
    return kind === 'operation' && ways.operated !== undefined ? ways.operated(outcome) : outcome
  }

  return {
    uuid,
    tools: () => specs,
    answers,
    documents: () => gate(() => client.documents()),
    call: (name, given) =>
      gate(async () => {
        const { uuid: _hidden, ...args } = given
        const { result, happening } = await dispatch({ name, args })
        if (happening !== null) record(happening)
        return result
      }),
  }
}

/** Those that a poll names; none: all. */
function toolsIn({ tools }: JsonObject): string[] {
  return Array.isArray(tools) ? tools.map(String) : []
}

export const milliseconds = (): z.ZodNumber => z.number().int().min(1).max(86_400_000)

const sleepArguments = z.strictObject({
  ms: milliseconds().describe('How long, in milliseconds (at most one day)'),
})
export const sleepVerb = verb('sleep', 'sleep', 'Lets time pass without doing anything.', sleepArguments)

/** A verb of the door, on the agent's side: no server sees it. */
export function verb(kind: ToolSpec['kind'], name: string, description: string, args: z.ZodObject): ToolSpec {
  return { kind, name, description, parameters: objectSchema(z.toJSONSchema(args, { io: 'input' })), actions: [] }
}

async function sleep(parts: DoorParts, call: Called): Promise<Outcome> {
  const { clock } = parts
  const parsed = sleepArguments.safeParse(call.args)
  if (!parsed.success) return turnedAway('sleep', call, complaint(parsed.error), clock.now())
  const { ms } = parsed.data
  await rest(parts, ms)
  const data = { slept: ms, at: clock.now() }
  const result = {
    kind: 'sleep',
    outcome: 'slept',
    text: lines.pause.write(data),
    data,
    operationId: null,
    at: data.at,
  } as const
  return { result, happening: null }
}

/** A wait that is recorded as the agent's own. */
export async function rest({ traffic, self, record }: DoorParts, delayMs: number): Promise<void> {
  assertAwaited(traffic, 1)
  record({ kind: 'sleep', delayMs })
  await self.sleep(delayMs)
}

/** A call that outlives its turn would act in somebody else's. */
export function assertAwaited({ inFlight }: Traffic, allowed: number): void {
  if (inFlight > allowed) throw new Error('A call of a door was not awaited before a wait.')
}

/** Lets a read of state begin, and take its time. What it then brings is of `agoMs` before; a reason tells why it brings nothing. */
export async function beginRead(
  { uuid, readFates, traffic, self, record }: DoorParts,
  by: ReadFault['by'],
  tools: readonly string[],
): Promise<ReadFate['brings']> {
  if (readFates === null) return { agoMs: 0 }
  const { lastsMs, brings, faults } = readFates(uuid, tools)
  for (const fault of faults) record({ kind: 'read_fault', by, tools: [...tools], ...fault })
  if (lastsMs > 0) {
    assertAwaited(traffic, 1)
    await self.sleep(lastsMs)
  }
  return brings
}
