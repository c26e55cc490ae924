import type { Json, JsonObject, JsonSchema } from '../contract/json.js'
import type { ToolSpec } from '../contract/door.js'
import type { AgentNote } from '../contract/agent.js'
import type { Message, ModelAnswer, ToolCallMessage } from '../contract/model.js'
import { readEnding } from './ending.js'
import type { Ending } from './ending.js'
import { isObject, parseJson } from './json.js'
import { failure } from './lines.js'
import { quote } from './sections.js'

/** What had to be mended before an answer could be read. */
export type Mend = 'thinking' | 'fence' | 'prose' | 'calls' | 'numbers'
export type Answered = Extract<ModelAnswer, { status: 'answered' }>
/** An answer that cannot be used, in words that help to correct it. */
export interface Malformed {
  kind: 'malformed'
  what: string
  detail: string
}
/** One call of an answer, with the arguments as they are meant. */
export interface Call {
  kind: 'call'
  id: string
  tool: ToolSpec
  args: JsonObject
  mends: Mend[]
}

export type End = Extract<Ending, { kind: 'end' }> & { mends: Mend[] }

const malformed = (what: string, detail: string): Malformed => ({ kind: 'malformed', what, detail })

/** An answer in which the model has said all that it meant to say. */
export function whole(answer: ModelAnswer): Answered | Malformed {
  if (answer.status === 'interrupted') return malformed('interrupted', 'The answer was interrupted.')
  if (answer.finish === 'stop' || answer.finish === 'tool_calls') return answer
  return malformed(answer.finish, `The answer ended early (${answer.finish}).`)
}

/** The end of an agent's work as an answer without calls tells it. */
export function readEnd({ text }: Answered): End | Malformed {
  const given = text ?? ''
  const spoken = withoutThinking(given)
  const ending = readEnding(spoken)
  return ending.kind === 'end' ? { ...ending, mends: spoken === given.trim() ? [] : ['thinking'] } : ending
}

/** The call of an answer; of several the first counts. `known` is what the tools are called in the sentence of a mistake. */
export function readCall({ toolCalls }: Answered, tools: readonly ToolSpec[], known = 'tool'): Call | Malformed {
  const [first] = toolCalls
  if (first === undefined) return malformed('no_call', `The answer calls no ${known}.`)
  const call = callOf(first, tools, known)
  if (call.kind === 'malformed' || toolCalls.length === 1) return call
  return { ...call, mends: ['calls', ...call.mends] }
}

/** All calls of an answer are good, or the first that is not is told. */
export function readCalls({ toolCalls }: Answered, tools: readonly ToolSpec[], known: string): Call[] | Malformed {
  const calls: Call[] = []
  for (const each of toolCalls) {
    const call = callOf(each, tools, known)
    if (call.kind === 'malformed') return call
    calls.push(call)
  }
  return calls
}

function callOf(asked: Answered['toolCalls'][number], tools: readonly ToolSpec[], known: string): Call | Malformed {
  const tool = tools.find(({ name }) => name === asked.name)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ')
    return malformed('unknown_tool', `No ${known} named ${JSON.stringify(asked.name)}. Known: ${names}.`)
  }
  const read = readObject(asked.arguments, tool.parameters)
  if (read === null) return malformed('bad_arguments', 'The arguments are not one JSON object.')
  return { kind: 'call', id: asked.id, tool, args: read.value, mends: read.mends }
}

/**
 * The JSON object that a text is, or holds: behind thoughts, in a fence, between prose. An object that is cut is none.
 * Numbers that came as strings are numbers where the schema wants them.
 */
export function readObject(text: string, schema: JsonSchema): { value: JsonObject; mends: Mend[] } | null {
  const found = objectIn(text)
  if (found === null) return null
  const value = withNumbers(found.value, schema)
  if (!isObject(value)) return null
  return { value, mends: value === found.value ? found.mends : [...found.mends, 'numbers'] }
}

function objectIn(text: string): { value: JsonObject; mends: Mend[] } | null {
  const plain = parseJson(text)
  if (isObject(plain)) return { value: plain, mends: [] }
  const spoken = withoutThinking(text)
  const mends: Mend[] = spoken === text ? [] : ['thinking']
  const all = parseJson(spoken)
  if (isObject(all)) return { value: all, mends }
  const fenced = parseJson(/```\w*\s*\n([\s\S]*?)\n\s*```/.exec(spoken)?.[1] ?? '')
  if (isObject(fenced)) return { value: fenced, mends: [...mends, 'fence'] }
  // What is a value of another kind, or several, is no object with prose around it.
  const only = all === undefined ? onlyObjectIn(spoken) : null
  return only === null ? null : { value: only, mends: [...mends, 'prose'] }
}

/** What a model has said once it had thought. A thought that was never closed has nothing behind it. */
function withoutThinking(text: string): string {
  const spoken = text.replaceAll(/<(think|thinking)>[\s\S]*?(?:<\/\1>|$)/gi, '')
  // Some servers keep the opening tag to themselves.
  return spoken.replace(/^[\s\S]*<\/(?:think|thinking)>/i, '').trim()
}

/** Null as well where there are several, or where the last one is cut: which of them is meant is anybody's guess. */
function onlyObjectIn(text: string): JsonObject | null {
  const found: JsonObject[] = []
  for (let start = text.indexOf('{'); start !== -1;) {
    const end = endOfObject(text, start)
    if (end === null) return null
    const value = parseJson(text.slice(start, end))
    if (isObject(value)) found.push(value)
    start = text.indexOf('{', end)
  }
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Where the object that begins at `start` ends; braces within strings are none. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (quoted && sign === '\\') at += 1
    else if (sign === '"') quoted = !quoted
    else if (!quoted && sign === '{') depth += 1
    else if (!quoted && sign === '}' && --depth === 0) return at + 1
  }
  return null
}

const NUMERIC = /^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i

/** The same value where nothing of it had to be mended. */
function withNumbers(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value
  const { anyOf } = schema
  const variants = [schema, ...(Array.isArray(anyOf) ? anyOf.filter(isObject) : [])]
  const typed = (...types: Json[]) => variants.find(({ type }) => type !== undefined && types.includes(type))
  if (typeof value === 'string') {
    const isNumber = typed('string') === undefined && typed('number', 'integer') !== undefined && NUMERIC.test(value)
    return isNumber ? Number(value) : value
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => withNumbers(item, typed('array')?.['items']))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const fields = typed('object')?.['properties']
  if (!isObject(value) || !isObject(fields)) return value
  const entries = Object.entries(value).map(([name, each]) => [name, withNumbers(each, fields[name])] as const)
  return entries.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(entries)
}

/** What the trace is told of an answer that had to be mended; the metric `repaired` counts these. */
export const repaired = (mends: readonly Mend[]): AgentNote => ({
  kind: 'note',
  name: 'repaired',
  data: { mends: [...mends] },
  line: `mends its model's answer: ${mends.join(', ')}`,
})

/** What the model said, as a conversation keeps it. */
export function said(answer: ModelAnswer): Message[] {
  if (answer.status === 'interrupted') return []
  const { text, toolCalls } = answer
  const carried = answer.carried === undefined ? {} : { carried: answer.carried }
  if (toolCalls.length === 0)
    return text === null || text === '' ? [] : [{ role: 'assistant', content: text, ...carried }]
  const calls = toolCalls.map(({ id, name, arguments: args }): ToolCallMessage => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return [{ role: 'assistant', content: text, tool_calls: calls, ...carried }]
}

/** Why calls of an answer were not carried out, all but the first `done`. Each needs its answer, else endpoints refuse the conversation. */
export function turnedDown(answer: ModelAnswer, detail: string, done = 0): Message[] {
  const calls = answer.status === 'answered' ? answer.toolCalls.slice(done) : []
  return calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: failure.write({ error: detail }) }))
}

/** What is wrong with an answer, where it stands: as the result of its calls, or as a message of the user. */
export function correction(answer: ModelAnswer, detail: string): Message[] {
  const refusals = turnedDown(answer, detail)
  return refusals.length > 0 ? refusals : [{ role: 'user', content: quote(detail) }]
}
