import { UserError } from '../contract/index.js'
import type { Agent, Environment, Json, Trace, TraceRecord, TrialIdentity } from '../contract/index.js'
import { firstDifference } from '../model/miss.js'
import type { Miss } from '../model/miss.js'
import { recordedEmbeddings, recordedModel, textsIn } from '../model/recorded.js'
import { parseThinking } from '../model/thinking.js'
import { clean, fold, seconds } from '../trace/text.js'
import { freshMemory, givenIn } from '../trial/memory.js'
import { parseParams, parseWorldParams } from '../trial/params.js'
import { runTrial } from '../trial/trial.js'

/** The first record in which a trial, played again, is not the recorded one. */
export interface Divergence {
  n: number
  /** Virtual ms, as recorded, or as played where the record has ended. */
  at: number
  kind: string
  /** `message`, `usage.promptTokens`, `messages[2]`; `kind` where another thing happened. */
  field: string
  recorded: string
  now: string
  sentence: string
}

/** Compares record by record. */
export function firstDivergence(recorded: Trace, now: Trace): Divergence | null {
  for (let n = 0; n < Math.max(recorded.length, now.length); n++) {
    if (JSON.stringify(recorded[n]) === JSON.stringify(now[n])) continue
    const [was, is] = [plain(recorded[n]), plain(now[n])]
    const found = differingFieldOf(was, is, { recorded: textsIn(recorded), now: textsIn(now) })
    if (found !== null) return divergenceAt(n, recorded[n] ?? now[n], found)
  }
  return null
}

interface DifferingField {
  field: string
  was: Json | undefined
  is: Json | undefined
}

function divergenceAt(n: number, record: TraceRecord | undefined, { field, was, is }: DifferingField): Divergence {
  const kind = record?.kind ?? 'nothing'
  const at = record?.at ?? 0
  const both = typeof was === 'string' && typeof is === 'string' ? firstDifference(was, is) : null
  const lines = [was, is].some((text) => typeof text === 'string' && text.includes('\n'))
  const line = both !== null && lines ? `, line ${both.line}` : ''
  const what = field === 'kind' ? instead(was, is) : `\`${clean(field)}\`${line} differs`
  return {
    n,
    at,
    kind,
    field,
    recorded: both === null ? valueText(was) : lineText(both.recorded),
    now: both === null ? valueText(is) : lineText(both.now),
    sentence: `Record ${n} (${clean(kind)}, ${seconds(at)}) is not reproduced: ${what}.`,
  }
}

type Plain = { [key: string]: Json } & { kind: string }

function instead(was: Json | undefined, is: Json | undefined): string {
  if (was === undefined) return 'the record ends before it'
  return is === undefined ? 'the trial ends before it' : 'another thing happens'
}

/** As JSON would bring it back from a file, without what is no part of identity. */
function plain(record: TraceRecord | undefined): Plain | undefined {
  return record === undefined ? undefined : JSON.parse(JSON.stringify(identical(record)))
}

/** Where the code of an error stood, and how notes are shown, is no part of what happened. */
function identical(record: TraceRecord): TraceRecord {
  if (record.kind === 'error') return { ...record, stack: null }
  if (record.kind === 'note') return { ...record, line: null }
  if (record.kind !== 'trial') return record
  return { ...record, version: 0, roles: record.roles.map((role) => ({ ...role, notes: {} })) }
}

type Pooled = Record<'recorded' | 'now', ReadonlyMap<string, string>>

function differingFieldOf(was: Plain | undefined, is: Plain | undefined, pooled: Pooled): DifferingField | null {
  if (was === undefined || is === undefined || was.kind !== is.kind) {
    return { field: 'kind', was: happened(was), is: happened(is) }
  }
  // The hash of a text says less than the text.
  const inText = was.kind === 'text' ? differing(was['text'], is['text'], 'text') : null
  const found = inText ?? differing(was, is)
  if (found === null || was.kind !== 'request') return found
  const unpooled = (value: Json | undefined, texts: ReadonlyMap<string, string>): Json | undefined =>
    typeof value === 'string' ? (texts.get(value) ?? value) : value
  const field = found.field.replace(/\.hash$/, '')
  return { field, was: unpooled(found.was, pooled.recorded), is: unpooled(found.is, pooled.now) }
}

/** Depth first, in the order of the recorded keys; null where only the order of keys differs. */
function differing(was: Json | undefined, is: Json | undefined, field = ''): DifferingField | null {
  if (!isContainer(was) || !isContainer(is) || Array.isArray(was) !== Array.isArray(is)) {
    return was === is ? null : { field, was, is }
  }
  const [left, right] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const path = Array.isArray(was) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`
    const found = differing(left.get(key), right.get(key), path)
    if (found !== null) return found
  }
  return null
}

/** The first field, by its path, in which two objects are not the same; where only their order differs, the whole. */
export function firstField(was: object, is: object): DifferingField {
  const [left, right]: Json[] = [was, is].map((each): Json => JSON.parse(JSON.stringify(each)))
  return differing(left, right) ?? { field: 'the order of its fields', was: left, is: right }
}

const isContainer = (value: Json | undefined): value is Json & object => typeof value === 'object' && value !== null

function happened(record: Plain | undefined): string | undefined {
  if (record === undefined) return undefined
  const { n: _n, at: _at, role: _role, activity: _activity, kind, ...rest } = record
  return `${kind} ${JSON.stringify(rest)}`
}

const lineText = (text: string | null): string =>
  text === null ? '(no such line)' : text === '' ? '(an empty line)' : fold(text, 200)

/** A value in one line, with nothing in it that could steer a terminal. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '(nothing)'
  return typeof value === 'string' ? lineText(value) : fold(JSON.stringify(value), 200)
}

/** A trial's agent and environment as they are today. */
export interface Definition {
  agent: Agent
  environment: Environment
}

/** The identity that a trace begins with; it alone decides what is played. */
export function identityOf(trace: Trace): TrialIdentity {
  const [first] = trace
  if (first?.kind !== 'trial')
    throw new UserError('The trace does not begin with its trial, so it cannot be played again.')
  if (first.identity.clock !== 'virtual') {
    throw new UserError(
      `"${clean(first.identity.id)}" ran on the ${first.identity.clock} clock: only virtual time comes back.`,
    )
  }
  return first.identity
}

/** A parameter that came into the schema since then takes its default. */
export const freshParams = (told: TrialIdentity, { agent, environment }: Definition): TrialIdentity => ({
  ...told,
  scenario: { ...told.scenario, params: parseWorldParams(environment, told.scenario.params) },
  agentParams: parseParams(agent.name, agent.params, told.agentParams),
})

/** Plays a trial again with the agent and environment of today and the answers of its record, and compares. */
export async function replayTrial(recorded: Trace, { agent, environment }: Definition) {
  const told = identityOf(recorded)
  // What is new among its parameters shows as a difference of the first record.
  const identity = freshParams(told, { agent, environment })
  const chat = identity.model === null ? null : recordedModel(recorded)
  const embeddings = recordedEmbeddings(recorded)
  const memory = freshMemory(givenIn(recorded))
  const thinking = parseThinking(identity.thinking)
  const trace = await runTrial(identity, { agent, environment, chat, thinking, memory, embeddings })
  const divergence = firstDivergence(recorded, trace)
  const asks = [recorded, trace].some((records) => isAsking(records[divergence?.n ?? -1]))
  const miss = asks ? (chat?.miss?.miss ?? null) : null
  return {
    identity: told,
    trace,
    /** Null: every record is the recorded one. */
    divergence: divergence === null || miss === null ? divergence : explained(divergence, miss),
    /** A sentence where agent or environment have another version by now. */
    versions: versionsSince(told, { agent, environment }),
  }
}

const isAsking = (record: TraceRecord | undefined): boolean => record?.kind === 'text' || record?.kind === 'request'

/** Which message of which call a text belongs to says more than the text alone. */
function explained(divergence: Divergence, { part, recorded, now, sentence }: Miss): Divergence {
  const lines = part === null ? {} : { recorded: valueText(recorded ?? undefined), now: valueText(now ?? undefined) }
  return { ...divergence, ...lines, sentence: `${divergence.sentence} ${clean(sentence)}` }
}

/** A sentence where agent or environment are not of the version that wrote the trace; else null. */
export function versionsSince(
  { agentVersion, scenario }: TrialIdentity,
  { agent, environment }: Definition,
): string | null {
  const changes = [
    [agent.name, agentVersion, agent.version],
    [environment.name, scenario.environmentVersion, environment.version],
  ].filter(([, then, now]) => then !== now)
  if (changes.length === 0) return null
  const list = changes.map(([name, then, now]) => `${name} ${clean(then ?? '')}, now ${now}`).join('; ')
  return `The trace was written by another version: ${list}.`
}
