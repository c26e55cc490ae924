import { z } from 'zod'
import type { Exposure, Usage } from '../contract/index.js'
import { wireRequest } from './chat.js'
import type { ChatModel, Completion, WireRequest } from './chat.js'
import { createClient, exchange, exchangeInProcess, inProcessClient } from './client.js'
import type { EndpointOptions } from './client.js'
import { countAnswer, countPrompt } from './tokens.js'

const count = z.number().int().nonnegative()
/** Servers differ in small things; what is sound in substance is the model's answer, and no fault of the wire. */
const args = z.union([z.string(), z.record(z.string(), z.unknown()).transform((given) => JSON.stringify(given))])
const call = z.object({
  id: z.string().default(''),
  function: z.object({ name: z.string(), arguments: args.default('{}') }),
})
const parts = z
  .array(z.object({ text: z.string().default('') }))
  .transform((all) => all.map(({ text }) => text).join(''))
const message = z.object({
  content: z.union([z.string(), parts]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
})
/** Of this program, or of nobody. */
const exposures = z.custom<Exposure[]>((value) => Array.isArray(value))
const schema = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish() })).min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish()
    // Half a usage is none: it is counted and marked.
    .catch(null),
  /** Only the simulated endpoint sends these. */
  x_unparsed: z.array(z.string()).nullish(),
  x_exposures: exposures.optional(),
})

/** What one try brought, before it is known how many there were. */
type Reply = Omit<Completion, 'retries' | 'realMs'>

/** Reads the body of a completion; null where it is none, whatever the status said. */
function readCompletion(body: unknown, request: WireRequest): Reply | null {
  const parsed = schema.safeParse(body)
  const choice = parsed.data?.choices[0]
  if (parsed.data === undefined || choice === undefined) return null
  const { content, refusal, tool_calls } = choice.message
  const refused = refusal !== undefined && refusal !== null && refusal !== ''
  const text = refused ? refusal : (content ?? null)
  const toolCalls = (tool_calls ?? []).map(({ id, function: called }, index) => ({
    id: id === '' ? `call_${index}` : id,
    ...called,
  }))
  const finish = refused ? 'refusal' : (choice.finish_reason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'))
  const usage = usageOf(parsed.data.usage ?? null) ?? countedUsage(request, { text, toolCalls })
  const { x_unparsed: unparsed, x_exposures: exposed } = parsed.data
  return {
    text,
    toolCalls,
    finish,
    usage,
    unparsed: unparsed ?? [],
    ...(exposed !== undefined && { exposures: exposed }),
  }
}

function usageOf(usage: NonNullable<z.output<typeof schema>['usage']> | null): Usage | null {
  if (usage === null) return null
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    counted: false,
  }
}

const countedUsage = (request: WireRequest, answer: Pick<Completion, 'text' | 'toolCalls'>): Usage => ({
  promptTokens: countPrompt(request.messages, request.tools, request.response_format?.json_schema),
  completionTokens: countAnswer(answer),
  cachedTokens: 0,
  counted: true,
})

/** One model behind an endpoint that speaks Chat Completions. */
export interface ChatEndpointOptions extends EndpointOptions {
  /** Reasoning models refuse one: none is sent by default. */
  temperature?: number
}

/** Asks over HTTP, and retries what is the infrastructure's fault (docs/design.md#models). */
export function openEndpoint(options: ChatEndpointOptions): ChatModel {
  const { name, temperature = null } = options
  const client = createClient(options)
  return {
    name,
    async complete(asked) {
      const wired = wireRequest(name, asked, temperature)
      const { value, ...how } = await exchange(options, {
        request: (signal) => client.chat.completions.create(wired, { signal }),
        read: (body) => readCompletion(body, wired),
        what: 'completion',
      })
      return { ...value, ...how }
    },
  }
}

/** The same client on a `fetch` of this process. */
export function openInProcess(options: { name: string; fetch: typeof fetch }): ChatModel {
  const { name } = options
  const client = inProcessClient(options.fetch)
  return {
    name,
    async complete(asked) {
      const wired = { ...wireRequest(name, asked, null), x_reader: asked.reader }
      const { value, ...how } = await exchangeInProcess(name, {
        request: () => client.chat.completions.create(wired),
        read: (body) => readCompletion(body, wired),
        what: 'completion',
      })
      return { ...value, ...how }
    },
  }
}
