import { z } from 'zod'
import { lines } from '../kit/index.js'
import type {
  CallResult,
  Clock,
  Door,
  DoorOf,
  Happening,
  JsonObject,
  Scalar,
  Signal,
  Surface,
  Surfaces,
  ToolSpec,
} from '../contract/index.js'
import type { Answered, WorldClient } from './connection.js'
import { assertAwaited } from './gate.js'
import type { Gate } from './gate.js'
import { complaint, objectSchema } from './protocol.js'
import { beginRead } from './reads.js'
import type { Reader } from './reads.js'

/** What all doors of a session are made of. */
export interface DoorParts extends Reader {
  specs: readonly ToolSpec[]
  answers: string
  /** What each tool of the world may signal. */
  signals: ReadonlyMap<string, ReadonlySet<string>>
  client: WorldClient
  clock: Clock
  gate: Gate
  admit: () => Promise<void>
}

/** What the session knows of a door that can be rung. */
export interface Hearing {
  /** A doorbell: of a tool's properties, or of the log (null). True where it is to wake the agent itself. */
  ring(tool: string | null): boolean
  /** Follows these tools and the log, from now on. */
  listen(tools: readonly string[]): Promise<void>
}

/** All that there is to tell of a surface. Verbs, doors, prompts, `describe`, docs and ceilings follow from it. */
export interface SurfaceRecord<S extends Surface> {
  /** In one line, for `describe`. */
  summary: string
  /** How an operation is answered, in the words of a prompt. */
  answers: string
  /** Its cells in the table of docs/agents.md; absent: it cannot. */
  row: { returns: string; reads?: string; sleeps?: string; waits?: string; pushed?: string }
  /** Is `read_properties` offered? */
  reads: boolean
  /** What the door itself carries out, beside the tools of the world. */
  verbs: readonly ToolSpec[]
  /** What a trace of it cannot hold, since it has no verb for that. */
  never: readonly Happening['kind'][]
  open(parts: DoorParts): DoorOf<S> & Partial<Hearing>
  ceiling: Ceiling<S>
}

/** The best scripted policy with the verbs of a surface. */
interface Ceiling<S extends Surface> {
  summary: string
  /** How it waits, as docs/agents.md tells it. */
  waits: string
  /** The parameters of its waits, beside the length of its thoughts. */
  params: z.ZodObject & z.ZodType<Surfaces[S]['wait']>
  /** Does it learn what a signal says, or only that it came? */
  learns: boolean
  /** One attempt to learn whether a signal has come; false where there is nothing left to try. Null: it is rung. */
  attempt: ((hand: Attempt, wait: Surfaces[S]['wait']) => Promise<boolean>) | null
}

/** What a script can do to learn of a signal. */
export interface Attempt {
  signal: Signal<never>
  /** How many attempts there were before. */
  ordinal: number
  /** How often it has stalled since an operation began what the signal ends. */
  stalls: number
  call: (name: string, args: JsonObject) => Promise<unknown>
  /** A harmless call, by which nothing but time passes. */
  stall: () => Promise<void>
  /** Reads the state of the signal's tool. */
  look: () => Promise<void>
}

/** What a surface does otherwise than the plain door. */
interface Ways {
  /** Carries out what no server sees, by the kind of the verb. */
  own?: Partial<Record<OwnKind, (call: Called) => Promise<Outcome>>>
  /** Verbs that are carried out, and offered by whoever wants its model to have them. */
  verbs?: readonly ToolSpec[]
  /** Takes in what an operation was answered; returns what its caller is told, and when. */
  operated?: (outcome: Outcome) => Promise<Outcome>
}
type OwnKind = 'wait' | 'focus' | 'unfocus'
export interface Called {
  name: string
  args: JsonObject
}

export function createDoor(parts: DoorParts, ways: Ways = {}): Door {
  const { uuid, specs, answers, client, clock, gate, admit, record } = parts
  const byName = new Map([...specs, ...(ways.verbs ?? [])].map((spec) => [spec.name, spec]))

  async function dispatch(call: Called): Promise<Outcome> {
    const kind = byName.get(call.name)?.kind
    if (kind === undefined || isOwn(kind)) {
      const own = kind && ways.own?.[kind]
      if (own !== undefined) return own(call)
      const known = specs.map(({ name }) => name).join(', ')
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

const isOwn = (kind: ToolSpec['kind']): kind is OwnKind => kind === 'wait' || kind === 'focus' || kind === 'unfocus'

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
  const at = clock.now()
  return carriedOut({ kind: 'sleep', outcome: 'slept', data: { slept: ms, at }, at })
}

/** A wait that is recorded as the agent's own. */
export async function rest({ traffic, self, record }: DoorParts, delayMs: number): Promise<void> {
  assertAwaited(traffic, 1)
  record({ kind: 'sleep', delayMs })
  await self.sleep(delayMs)
}

/** A result, and what the door has to record of it. The world itself records what reached its rules. */
export interface Outcome {
  result: CallResult
  happening: Happening | null
  /** Of an accepted operation: the signals that will tell of its end. For the door alone. */
  expects?: string[]
}

/** What the door itself does at a call. */
export function carriedOut(done: Pick<CallResult, 'kind' | 'outcome' | 'at'> & { data: JsonObject }): Outcome {
  return { result: { ...done, text: lines.fact(done.data), operationId: null }, happening: null }
}

/** A call that the door itself turns away. */
export function turnedAway(kind: CallResult['kind'], { name, args }: Called, error: string, at: number): Outcome {
  const { result } = carriedOut({ kind, outcome: 'invalid', data: { tool: name, error, at }, at })
  return { result, happening: { kind: 'invalid', tool: name, args, message: error } }
}

/** A read that brought nothing. Its record is that of the fault. */
function failedRead(tools: string[], reason: string, at: number): Outcome {
  return carriedOut({ kind: 'poll', outcome: 'failed', data: { notRead: tools, reason, at }, at })
}

const timed = z.object({ at: z.number() })
const failure = z.object({ error: z.string() })
const acknowledgement = z.object({
  outcome: z.enum(['accepted', 'refused', 'harmed']),
  operationId: z.string().nullable(),
  expects: z.array(z.string()).default([]),
})
const retrieval = z.object({ document: z.string(), found: z.boolean() })
const scalar = z.union([z.string(), z.number(), z.boolean()])
const properties = z.record(z.string(), z.object({ value: scalar, at: z.number() }))
/** One tool's properties, as its resource tells them. */
export const readingSchema = z.object({ tool: z.string(), properties, readAt: z.number() })
const readings = z.object({ observed: z.array(readingSchema.omit({ readAt: true })) })

function outcomeOf(
  kind: Exclude<ToolSpec['kind'], 'sleep' | OwnKind>,
  { name, args }: Called,
  { content: [{ text }], structuredContent: data, isError }: Answered,
): Outcome {
  const { at } = timed.parse(data)
  const result = { kind, text, data, operationId: null, at }
  if (isError) {
    const message = failure.parse(data).error
    const happening = kind === 'operation' ? null : ({ kind: 'invalid', tool: name, args, message } as const)
    return { result: { ...result, outcome: 'invalid' }, happening }
  }
  if (kind === 'operation') {
    const { expects, ...answer } = acknowledgement.parse(data)
    return { result: { ...result, ...answer, data: withoutHints(data) }, happening: null, expects }
  }
  const read = { ...result, outcome: 'read' } as const
  if (kind === 'poll') {
    const { observed } = readings.parse(data)
    return { result: read, happening: { kind, values: Object.assign({}, ...observed.map(valuesOf)) } }
  }
  const { document, found } = kind === 'document' ? retrieval.parse(data) : { document: null, found: true }
  return { result: read, happening: { kind: 'read', what: kind, document, found } }
}

/** Per `tool.property`, as records name them. */
export function valuesOf(seen: { tool: string; properties: z.output<typeof properties> }): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(seen.properties).map(([property, { value }]) => [`${seen.tool}.${property}`, value]),
  )
}

/** The data say what the text says: no surface shows how long an operation lasts. */
function withoutHints({ outcome: _outcome, expects: _expects, ...shown }: JsonObject): JsonObject {
  return shown
}
