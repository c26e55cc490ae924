import type { JsonObject, Message, ModelSettings } from '../contract/index.js'
import { isObject, parseJson } from '../kit/index.js'
import { wireRequest } from './chat.js'
import type { ChatRequest } from './chat.js'
import { spoken, toolsText } from './emulated.js'
import type { Manners } from './ladder.js'
import type { Described } from './presets.js'

/** A request as it goes out: the fewest fields that say what is asked, and those that were set. */
export interface Wired {
  path: string
  body: Record<string, unknown>
}

export const OUTPUT_LIMIT = 2_048

export function wired(
  { model, settings }: Pick<Described, 'model' | 'settings'>,
  manners: Manners,
  asked: ChatRequest,
): Wired {
  const emulated = manners.tools === 'prompt' && (asked.tools ?? []).length > 0
  const schemaInPrompt = asked.schema !== undefined && manners.format !== 'json_schema'
  const orders = [
    ...(emulated ? [toolsText(asked.tools ?? [])] : []),
    ...(schemaInPrompt ? [schemaText(asked.schema?.schema ?? {})] : []),
  ]
  const messages = withOrders(emulated ? spoken(asked.messages) : asked.messages, orders)
  const request: ChatRequest = { ...asked, messages, ...(emulated && { tools: [] }) }
  const { temperature, topP, seed, maxTokens = OUTPUT_LIMIT, extra } = settings
  const { path, body } = settings.api === 'responses' ? responses(request, manners) : chat(request, manners)
  const all = {
    model,
    ...body,
    ...(manners.limit !== null && { [manners.limit]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed: seed === 'trial' ? asked.seed : seed }),
    ...extra,
  }
  return { path, body: Object.fromEntries(Object.entries(all).filter(([name]) => !manners.omit.has(name))) }
}

/** What of the settings shapes answers, and belongs to a request as it is recorded; nothing where nothing is set. */
export function shaping({ temperature, topP, seed, maxTokens, effort, extra, omit }: ModelSettings): {
  settings?: string
} {
  const settings = JSON.stringify({ temperature, topP, seed, maxTokens, effort, extra, omit })
  return settings === '{}' ? {} : { settings }
}

const schemaText = (schema: JsonObject): string =>
  `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`

/** Into the first message where that is the system's: it is the same in every request, and so in every cache. */
function withOrders(messages: readonly Message[], orders: readonly string[]): Message[] {
  if (orders.length === 0) return [...messages]
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ role: 'system', content: [first.content, ...orders].join('\n\n') }, ...rest]
    : [{ role: 'system', content: orders.join('\n\n') }, ...messages]
}

function chat(request: ChatRequest, { format, effort, returns }: Manners): Wired {
  const { tools, response_format: asked } = wireRequest('', request)
  return {
    path: '/chat/completions',
    body: {
      messages: request.messages.map((message) => chatMessage(message, returns)),
      ...(tools !== undefined && { tools }),
      ...(asked !== undefined && format === 'json_schema' && { response_format: asked }),
      ...(asked !== undefined && format === 'json_object' && { response_format: { type: 'json_object' } }),
      ...(effort !== null && { reasoning_effort: effort }),
    },
  }
}

/** With what its endpoint wants back, if it came from there. Arguments that are no object end whole runs on some servers; the model is told of its mistake in any case. */
function chatMessage(message: Message, returns: boolean): object {
  if (message.role !== 'assistant') return message
  const { carried = {}, tool_calls: calls, ...said } = message
  const { fields, calls: marks } = carried
  return {
    ...said,
    ...(returns && isObject(fields) && fields),
    ...(calls !== undefined && {
      tool_calls: calls.map((call) => {
        const mark = isObject(marks) ? marks[call.id] : undefined
        const sound = isObject(parseJson(call.function.arguments))
        return {
          ...call,
          function: { ...call.function, arguments: sound ? call.function.arguments : '{}' },
          ...(returns && isObject(mark) && mark),
        }
      }),
    }),
  }
}

function responses(request: ChatRequest, { format, effort, returns }: Manners): Wired {
  const { tools, response_format: asked } = wireRequest('', request)
  return {
    path: '/responses',
    body: {
      input: request.messages.flatMap((message) => inputItems(message, returns)),
      ...(tools !== undefined && {
        tools: tools.map(({ function: of }) => ({ type: 'function', ...of, strict: false })),
      }),
      ...(asked !== undefined &&
        format === 'json_schema' && { text: { format: { type: 'json_schema', ...asked.json_schema } } }),
      ...(asked !== undefined && format === 'json_object' && { text: { format: { type: 'json_object' } } }),
      ...(effort !== null && { reasoning: { effort } }),
    },
  }
}

/** What the endpoint has sent goes back as it came, reasoning included. */
function inputItems(message: Message, returns: boolean): readonly unknown[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }]
  if (message.role !== 'assistant') return [message]
  const items = message.carried?.['items']
  if (returns && Array.isArray(items)) return items
  const { content, tool_calls: calls = [] } = message
  return [
    ...(content === null || content === '' ? [] : [{ role: 'assistant', content }]),
    ...calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called })),
  ]
}
