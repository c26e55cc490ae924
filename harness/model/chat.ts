import { hash } from 'node:crypto'
import type { Exposure, JsonObject, JsonSchema, Message, ModelPrice, ToolSpec, Usage } from '../contract/index.js'
import type { Toll } from './client.js'

/** One question as the endpoint gets it: no phase, no activity, no clock. */
export interface ChatRequest {
  messages: Message[]
  tools?: readonly ToolSpec[]
  schema?: { name: string; schema: JsonSchema }
  seed: number
  /** Only a simulated reader is told. It is no part of the question: equal questions are the same, whoever has asked what before. */
  reader?: ReaderState
}

/** What the simulated reader cannot know from a prompt: who asks, and how often each of its traits made a difference before. */
export interface ReaderState {
  agent: string
  /** Of the scenario and the role, whatever the replica: replicas have a cause of their errors in common. */
  seed: number
  replica: number
  /** Exposures so far, and the slips among them, by `countKey`; absent is 0. */
  counts: Record<string, [exposures: number, slips: number]>
}

export const exposureKey = ({ trait, subject, d }: Pick<Exposure, 'trait' | 'subject' | 'd'>): string =>
  `${trait} ${d} ${subject}`

/** Stands for an `exposureKey`: the table goes with every request, and subjects are long. */
export const countKey = (exposure: Pick<Exposure, 'trait' | 'subject' | 'd'>): string =>
  hash('sha256', exposureKey(exposure), 'hex').slice(0, 16)

/** Counts what an answer adds; in place, entry by entry, so that a copy of the table keeps what it knew. */
export function countExposures(counts: ReaderState['counts'], exposures: readonly Exposure[]): void {
  for (const exposure of exposures) {
    const key = countKey(exposure)
    const [known, slips] = counts[key] ?? [0, 0]
    counts[key] = [known + 1, slips + (exposure.erred ? 1 : 0)]
  }
}

/** A well-formed completion. What is wrong inside it (`length`, a refusal, broken arguments) is the model's. */
export interface Completion {
  text: string | null
  toolCalls: { id: string; name: string; arguments: string }[]
  /** `stop`, `tool_calls`, `length`, `content_filter` or `refusal`. */
  finish: string
  usage: Usage
  /** Tries that brought no well-formed completion before this one. */
  retries: number
  /** Of the try that succeeded. */
  realMs: number
  /** Rules that the simulated reader could not read. */
  unparsed: string[]
  /** Of a simulated reader. */
  exposures?: Exposure[]
  /** What it thought, where the endpoint shows it; no part of the text. */
  reasoning?: string
  /** What the endpoint wants back with it. */
  carried?: JsonObject
  /** What the endpoint says that it asked. */
  servedBy?: string
  /** What the endpoint tells of the answer beside it, for recordings: its id, fingerprint and provider, and some headers. */
  provenance?: Readonly<Record<string, string>>
  /** Of an answer that comes from a trace: what it took and cost then outweighs the thinking policy and the prices of today. */
  recorded?: { thoughtMs: number; costUsd: number | null }
}

/** A model behind an OpenAI-compatible endpoint, real or simulated. */
export interface ChatModel {
  readonly name: string
  /** Throws `InfrastructureError` when no well-formed completion could be had, `ContextOverflow` for a prompt that is too long. */
  complete(request: ChatRequest, toll?: Toll): Promise<Completion>
  /** Where roles have models of their own: that of a role. */
  at?(role: string): ChatModel
  /** As the user states it; absent: as the table of prices says, if it knows the model. */
  readonly price?: ModelPrice
  /** The most tokens that an answer may have, as the endpoint is asked for. */
  readonly outputLimit?: number
  /** What was set that shapes its answers, as JSON; absent: nothing. Of requests that differ in it none answers for another. */
  readonly settings?: string
}

/** A model whose questions take another way, those of roles as well. */
export function rerouted(
  chat: ChatModel,
  complete: (chat: ChatModel, request: ChatRequest) => Promise<Completion>,
): ChatModel {
  return {
    ...chat,
    complete: (request) => complete(chat, request),
    ...(chat.at !== undefined && { at: (role: string) => rerouted(chat.at?.(role) ?? chat, complete) }),
  }
}

/** The prompt is longer than the model's context: a limit, and so an outcome. */
export class ContextOverflow extends Error {
  override name = 'ContextOverflow'
}

/** A tool in the shape of Chat Completions. */
interface WireTool {
  type: 'function'
  function: Pick<ToolSpec, 'name' | 'description'> & { parameters: { [key: string]: unknown } }
}

/** The body of a request to Chat Completions, without what is not asked for. */
export interface WireRequest {
  model: string
  messages: Message[]
  seed: number
  tools?: WireTool[]
  parallel_tool_calls?: false
  response_format?: {
    type: 'json_schema'
    json_schema: { name: string; schema: { [key: string]: unknown }; strict: boolean }
  }
}

/** What the simulated reader is sent; other endpoints get less of it (wire.ts). */
export function wireRequest(model: string, request: Omit<ChatRequest, 'reader'>): WireRequest {
  const { messages, tools = [], schema, seed } = request
  return {
    model,
    messages,
    seed,
    ...(tools.length > 0 && { tools: tools.map((spec) => wire(spec).tool), parallel_tool_calls: false }),
    ...(schema !== undefined && { response_format: formatOf(schema).format }),
  }
}

const wired = new WeakMap<ToolSpec, { tool: WireTool; text: string }>()

function wire(spec: ToolSpec): { tool: WireTool; text: string } {
  const known = wired.get(spec)
  if (known !== undefined) return known
  const { name, description, parameters } = spec
  const tool: WireTool = { type: 'function', function: { name, description, parameters: { ...parameters } } }
  const made = { tool, text: JSON.stringify(tool) }
  wired.set(spec, made)
  return made
}

type ResponseFormat = NonNullable<WireRequest['response_format']>
const formats = new WeakMap<JsonSchema, { format: ResponseFormat; text: string }>()

function formatOf({ name, schema }: NonNullable<ChatRequest['schema']>): { format: ResponseFormat; text: string } {
  const known = formats.get(schema)
  if (known?.format.json_schema.name === name) return known
  const strict = schema['type'] === 'object' && allowsStrict(schema)
  const format: ResponseFormat = { type: 'json_schema', json_schema: { name, schema: { ...schema }, strict } }
  const made = { format, text: JSON.stringify({ name, schema }) }
  formats.set(schema, made)
  return made
}

/** What strict mode refuses wherever it stands. */
const LOOSE = new Set(
  (
    'oneOf allOf not if then else patternProperties propertyNames prefixItems ' +
    'contains uniqueItems default minLength maxLength'
  ).split(' '),
)

/** Strict structured outputs demand closed objects whose properties are all required, and know no other combination than `anyOf`. */
function allowsStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(allowsStrict)
  if (!isRecord(schema)) return true
  if (Object.keys(schema).some((keyword) => LOOSE.has(keyword))) return false
  const { properties, required, items, anyOf, $defs } = schema
  if (schema['type'] === 'object' || properties !== undefined) {
    if (schema['additionalProperties'] !== false || !isRecord(properties)) return false
    const names = Array.isArray(required) ? new Set(required) : new Set()
    if (!Object.keys(properties).every((name) => names.has(name))) return false
  }
  return (
    [properties, $defs].every((group) => !isRecord(group) || Object.values(group).every(allowsStrict)) &&
    allowsStrict(items) &&
    allowsStrict(anyOf)
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request as a trace pools it. Equal texts are the same question, whoever asks. */
export interface RequestTexts {
  messages: { role: string; text: string }[]
  /** JSON; null without tools. */
  tools: string | null
  schema: string | null
}

export function textsOf({ messages, tools = [], schema }: Omit<ChatRequest, 'seed'>): RequestTexts {
  return {
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    // As the endpoint reads them.
    tools: tools.length === 0 ? null : `[${tools.map((spec) => wire(spec).text).join(',')}]`,
    schema: schema === undefined ? null : formatOf(schema).text,
  }
}

/** A message's words, and as JSON what came with them. */
function textOf(message: Message): string {
  if (message.role !== 'assistant') return message.content
  const { content, tool_calls: calls = [], carried } = message
  if (calls.length === 0 && carried === undefined) return content ?? ''
  return JSON.stringify({ content, ...(calls.length > 0 && { tool_calls: calls }), ...(carried && { carried }) })
}
