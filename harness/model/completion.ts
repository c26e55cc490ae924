import { z } from 'zod'
import type { Usage } from '../define/index.js'
import type { Completion } from './chat.js'
import { countAnswer, countPrompt } from './tokens.js'
import type { WireRequest } from './wire.js'

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
  const toolCalls = (tool_calls ?? []).map(({ id, function: called }, index) => ({
    id: id === '' ? `call_${index}` : id,
    ...called,
  }))
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
