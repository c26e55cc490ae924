import { z } from 'zod'
import type { Exposure, Json, JsonObject, Message, Usage } from '../contract/index.js'
import type { Completion } from './chat.js'
import { countAnswer, countPrompt } from './tokens.js'

/** What one try brought, before it is known how many there were. */
export type CompletionBody = Omit<Completion, 'retries' | 'realMs'>

/** What tokens are counted of where the server does not tell. */
interface Counted {
  messages: readonly Message[]
  tools?: unknown
  response_format?: { json_schema: unknown }
}

const count = z.number().int().nonnegative()
const json = z.custom<Json>()
/** Servers differ in small things; what is sound in substance is the model's answer, and no fault of the wire. */
const args = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((given) => JSON.stringify(given))])
  .nullish()
  .transform((given) => (given === null || given === undefined || given === '' ? '{}' : given))
const call = z.looseObject({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: args }),
})
const parts = z
  .array(z.object({ text: z.string().default('') }))
  .transform((all) => all.map(({ text }) => text).join(''))
const message = z.looseObject({
  content: z.union([z.string(), parts]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
})
/** Of this program, or of nobody. */
const exposures = z.custom<Exposure[]>((value) => Array.isArray(value))
const details = z.looseObject({}).nullish()
const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: details,
  completion_tokens_details: details,
})
const schema = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish() })).min(1),
  // An incomplete usage counts as missing: it is counted here, and marked.
  usage: usageSchema.nullish().catch(null),
  /** Only the simulated endpoint sends these. */
  x_unparsed: z.array(z.string()).nullish(),
  x_exposures: exposures.optional(),
})

/** How a message of Chat Completions is read beside its words. */
interface Reading {
  /** Fields that go back with it. */
  returns: readonly string[]
  /** Thoughts stand between tags in its text. */
  thoughts: boolean
}

/** Reads the body of a completion; null where it is none, whatever the status said. */
export function readCompletion(body: unknown, request: Counted, reading: Reading | null = null): CompletionBody | null {
  const parsed = schema.safeParse(body)
  const choice = parsed.data?.choices[0]
  if (parsed.data === undefined || choice === undefined || choice.finish_reason === 'error') return null
  const { content, refusal, tool_calls: calls } = choice.message
  const refused = refusal !== undefined && refusal !== null && refusal !== ''
  const told = refused ? refusal : (content ?? null)
  const { text, thoughts } = reading?.thoughts === true ? parted(told) : { text: told, thoughts: null }
  const given = (calls ?? []).map(({ id }) => id ?? '')
  const ids = reading === null ? given : uniqueIds(given, request.messages)
  const toolCalls = (calls ?? []).map(({ function: called }, index) => ({ id: ids[index] ?? '', ...called }))
  const finish = refused ? 'refusal' : (choice.finish_reason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'))
  const usage = usageOf(parsed.data.usage) ?? countedUsage(request, { text: told, toolCalls })
  const { x_unparsed: unparsed, x_exposures: exposed } = parsed.data
  const shown = reading === null ? null : (reasoningIn(choice.message) ?? thoughts)
  const carried = reading === null ? null : carriedBy(choice.message, ids, reading.returns)
  return {
    text,
    toolCalls,
    finish: calledAsStopped(finish, toolCalls.length),
    usage,
    unparsed: unparsed ?? [],
    ...(exposed !== undefined && { exposures: exposed }),
    ...(shown !== null && { reasoning: shown }),
    ...(carried !== null && { carried }),
  }
}

/** Whether calls were made is seen by the calls: some servers say `stop`, or say nothing. */
const calledAsStopped = (finish: string, calls: number): string =>
  finish === 'tool_calls' && calls === 0 ? 'stop' : finish === 'function_call' ? 'tool_calls' : finish

/** Missing, empty and repeated ones are made unique: the answers to calls are told apart by them. */
function uniqueIds(ids: readonly string[], messages: readonly Message[]): string[] {
  const used = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.tool_call_id] : [])))
  return ids.map((id, index) => {
    const own = id !== '' && !used.has(id) ? id : `${id === '' ? 'call' : id}_${messages.length}_${index}`
    used.add(own)
    return own
  })
}

const TAGS = /<(think|thinking)>([\s\S]*?)(?:<\/\1>|$)/gi

/** Some servers keep the opening tag to themselves; the closing one is missing where the limit cut the thought. */
function parted(told: string | null): { text: string | null; thoughts: string | null } {
  if (told === null || !/<\/?think/i.test(told)) return { text: told, thoughts: null }
  const whole = /^(?:(?!<think)[\s\S])*?<\/think(?:ing)?>/i.test(told)
    ? `<think>${told.replace(/<\/thinking>/i, '</think>')}`
    : told
  const thoughts = [...whole.matchAll(TAGS)].map(([, , thought = '']) => thought.trim()).join('\n')
  const text = whole.replaceAll(TAGS, '').trim()
  return { text: text === '' ? null : text, thoughts }
}

const reasoningIn = (from: Record<string, unknown>): string | null => {
  const told = from['reasoning_content'] ?? from['reasoning']
  return typeof told === 'string' && told !== '' ? told : null
}

function carriedBy(
  from: z.output<typeof message>,
  ids: readonly string[],
  returns: readonly string[],
): JsonObject | null {
  const fields: Record<string, Json> = {}
  for (const name of returns) if (name in from) fields[name] = json.parse(from[name])
  const marks: Record<string, Json> = {}
  for (const [index, each] of (from.tool_calls ?? []).entries())
    if ('extra_content' in each) marks[ids[index] ?? ''] = { extra_content: json.parse(each['extra_content']) }
  if (Object.keys(fields).length + Object.keys(marks).length === 0) return null
  return { fields, calls: marks }
}

function number(from: unknown, name: string): number | undefined {
  if (typeof from !== 'object' || from === null) return undefined
  const value: unknown = Reflect.get(from, name)
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

function usageOf(usage: z.output<typeof usageSchema> | null | undefined): Usage | null {
  if (usage === null || usage === undefined) return null
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage
  const cached =
    number(usage.prompt_tokens_details, 'cached_tokens') ??
    number(usage, 'prompt_cache_hit_tokens') ??
    number(usage, 'cached_tokens')
  const written = number(usage.prompt_tokens_details, 'cache_write_tokens')
  const reasoning = number(usage.completion_tokens_details, 'reasoning_tokens') ?? number(usage, 'reasoning_tokens')
  return {
    promptTokens,
    completionTokens,
    cachedTokens: Math.min(cached ?? 0, promptTokens),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    counted: false,
  }
}

export const countedUsage = (request: Counted, answer: Pick<Completion, 'text' | 'toolCalls'>): Usage => ({
  promptTokens: countPrompt(request.messages, request.tools, request.response_format?.json_schema),
  completionTokens: countAnswer(answer),
  cachedTokens: 0,
  counted: true,
})

const responseSchema = z.object({
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: details,
      output_tokens_details: details,
    })
    .nullish()
    .catch(null),
})
const contentSchema = z.array(
  z.looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() }),
)
const functionCall = z.object({ call_id: z.string().default(''), name: z.string(), arguments: args })

/** Reads the body of a response; null where it is none, or one that failed. */
export function readResponse(body: unknown, request: Counted): CompletionBody | null {
  const { data } = responseSchema.safeParse(body)
  if (data === undefined || data.status === 'failed' || data.status === 'cancelled') return null
  const of = (type: string) => data.output.filter((item) => item.type === type)
  const contents = of('message').flatMap((item) => contentSchema.safeParse(item['content']).data ?? [])
  const refusals = contents.flatMap(({ refusal }) => refusal ?? [])
  const texts = contents.flatMap(({ type, text }) => (type === 'output_text' ? (text ?? []) : []))
  const thoughts = of('reasoning').flatMap((item) =>
    ['summary', 'content'].flatMap((name) =>
      (contentSchema.safeParse(item[name]).data ?? []).flatMap(({ text }) => text ?? []),
    ),
  )
  const calls = of('function_call').flatMap((item) => functionCall.safeParse(item).data ?? [])
  const ids = uniqueIds(
    calls.map(({ call_id: id }) => id),
    request.messages,
  )
  const toolCalls = calls.map(({ name, arguments: given }, index) => ({ id: ids[index] ?? '', name, arguments: given }))
  const said = refusals.length > 0 ? refusals : texts
  const text = said.length === 0 ? null : said.join('')
  const { usage } = data
  const cut = data.status === 'incomplete' ? (data.incomplete_details?.reason ?? 'length') : null
  const ended = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  return {
    text,
    toolCalls,
    finish: refusals.length > 0 ? 'refusal' : cut === null ? ended : cut === 'max_output_tokens' ? 'length' : cut,
    usage:
      usage === null || usage === undefined
        ? countedUsage(request, { text, toolCalls })
        : (usageOf({
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            prompt_tokens_details: usage.input_tokens_details,
            completion_tokens_details: usage.output_tokens_details,
          }) ?? countedUsage(request, { text, toolCalls })),
    unparsed: [],
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n') }),
    carried: { items: json.parse(data.output.map((item) => item)) } satisfies JsonObject,
  }
}
