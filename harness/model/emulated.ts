import type { JsonObject, Message, ToolSpec } from '../contract/index.js'
import { isObject, parseJson } from '../kit/index.js'
import type { Completion } from './chat.js'

/** What a model is told that knows no tool calls. */
export function toolsText(tools: readonly ToolSpec[]): string {
  const listed = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
  return `You have tools. To call one, end your answer with a block of this form, and write nothing after it:
\`\`\`tool_call
{"name": "NAME", "arguments": {}}
\`\`\`
At most one call per answer. Its result comes as the next message. The tools:
${listed.join('\n')}`
}

/** A conversation with its calls and their results as texts; neighbours of one role are one message. */
export function spoken(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>()
  const told = messages.map((message): Message => {
    if (message.role === 'tool') {
      const of = names.get(message.tool_call_id)
      return { role: 'user', content: `Result${of === undefined ? '' : ` of ${of}`}:\n${message.content}` }
    }
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message
    const blocks = message.tool_calls.map(({ id, function: { name, arguments: args } }) => {
      names.set(id, name)
      return `\`\`\`tool_call\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n\`\`\``
    })
    return { role: 'assistant', content: [message.content ?? '', ...blocks].filter(Boolean).join('\n') }
  })
  const joined: Message[] = []
  for (const message of told) {
    const last = joined.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` }
    else joined.push(message)
  }
  return joined
}

/** How calls look that a model writes into its text. */
const MARKED = [
  /```tool_call\s*\n([\s\S]*?)(?:\n\s*```|$)/g,
  /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g,
  /\[TOOL_REQUEST\]([\s\S]*?)\[END_TOOL_REQUEST\]/g,
]
const FENCED = /```json\s*\n([\s\S]*?)\n\s*```/g

type Said = Pick<Completion, 'text' | 'toolCalls'>

/** The calls in a text, and what is left of it. A block that is no call stays where it is. */
export function callsIn(text: string, tools: readonly ToolSpec[]): Said {
  const known = (call: Call | null): Call | null => (tools.some(({ name }) => name === call?.name) ? call : null)
  const whole = known(callOf(text))
  if (whole !== null) return { text: null, toolCalls: [whole] }
  for (const block of [...MARKED, FENCED]) {
    // A marked block is a call even of a tool that is not there; other JSON is one only by the name of a tool.
    const read = (inner: string): Call | null => (block === FENCED ? known(callOf(inner)) : callOf(inner))
    const calls = [...text.matchAll(block)].flatMap(([, inner = '']) => read(inner) ?? [])
    if (calls.length === 0) continue
    const rest = text.replaceAll(block, (all, inner: string) => (read(inner) === null ? all : '')).trim()
    return { text: rest === '' ? null : rest, toolCalls: calls }
  }
  return { text, toolCalls: [] }
}

type Call = Said['toolCalls'][number]

function callOf(text: string): Call | null {
  const value = parseJson(text.trim())
  if (!isObject(value)) return null
  const { name } = value
  const args = argumentsOf(value)
  return typeof name !== 'string' || args === null ? null : { id: '', name, arguments: args }
}

function argumentsOf({ arguments: args, parameters }: JsonObject): string | null {
  const given = args ?? parameters ?? {}
  return typeof given === 'string' ? given : isObject(given) ? JSON.stringify(given) : null
}
