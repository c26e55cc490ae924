import { z } from 'zod'
import type { Usage } from '../define/index.js'
import type { Completion } from './chat.js'
import { countAnswer, countPrompt } from './tokens.js'
import type { WireRequest } from './wire.js'

const count = z.number().int().nonnegative()
const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
const message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
})
const schema = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish() })).min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish(),
  /** Only the simulated endpoint sends it. */
  x_unparsed: z.array(z.string()).nullish(),
})

/** What one try brought, before it is known how many there were. */
export type Reply = Omit<Completion, 'retries' | 'realMs'>

/** Reads the body of a completion; null where it is none, whatever the status said. */
export function readCompletion(body: unknown, request: WireRequest): Reply | null {
  const parsed = schema.safeParse(body)
  const choice = parsed.data?.choices[0]
  if (parsed.data === undefined || choice === undefined) return null
  const { content, refusal, tool_calls } = choice.message
  const refused = refusal !== undefined && refusal !== null && refusal !== ''
  const text = refused ? refusal : (content ?? null)
  const toolCalls = (tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }))
  const finish = refused ? 'refusal' : (choice.finish_reason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'))
  const usage = usageOf(parsed.data.usage ?? null) ?? countedUsage(request, { text, toolCalls })
  return { text, toolCalls, finish, usage, unparsed: parsed.data.x_unparsed ?? [] }
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
