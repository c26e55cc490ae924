import { z } from 'zod'
import { ContextOverflow, wireRequest } from './chat.js'
import type { ChatModel, ChatRequest } from './chat.js'
import { connect, exchangeInProcess, inProcessClient } from './client.js'
import type { EndpointOptions } from './client.js'
import { callsIn } from './emulated.js'
import type { Fault } from './faults.js'
import { createManners, stepDown } from './ladder.js'
import type { Manners } from './ladder.js'
import type { Described } from './presets.js'
import { countedUsage, readCompletion, readResponse } from './reply.js'
import type { CompletionBody } from './reply.js'
import { OUTPUT_LIMIT, shaping, wired } from './wire.js'
import { countPrompt } from './tokens.js'

/** A model behind an endpoint that speaks Chat Completions or Responses. */
export interface ChatEndpointOptions extends EndpointOptions {
  described: Pick<Described, 'model' | 'settings' | 'preset' | 'limit'>
  /** What was learnt of the endpoint before; absent: nothing. */
  manners?: Manners
}

/** A real model, and how its endpoint turned out to be spoken to. */
export interface EndpointModel extends ChatModel {
  readonly described: ChatEndpointOptions['described']
  readonly endpoint: string
  readonly manners: Manners
  /** What the endpoint offers; empty where it does not tell. */
  offered(timeoutMs: number): Promise<Offered[]>
}

/** `context`: of a prompt and its answer, in tokens; null where that is not told. */
export interface Offered {
  id: string
  context: number | null
}

/** Asks over HTTP; what its endpoint refuses it says otherwise from then on (docs/models.md#ladder). */
export function openEndpoint(options: ChatEndpointOptions): EndpointModel {
  const { name, described } = options
  const { settings } = described
  const { client, ask } = connect({
    ...options,
    ...(settings.timeoutMs !== undefined && { timeoutMs: settings.timeoutMs }),
  })
  const manners = options.manners ?? createManners(described)
  const reading = { returns: described.preset?.returns ?? ['reasoning_content', 'reasoning_details'], thoughts: true }

  function read(body: unknown, asked: ChatRequest): CompletionBody | null {
    const counted = wireRequest('', asked)
    const plain = settings.api === 'responses' ? readResponse(body, counted) : readCompletion(body, counted, reading)
    const { data: served } = servedSchema.safeParse(body)
    const answer =
      plain === null || served === undefined
        ? plain
        : { ...plain, servedBy: served.model, provenance: provenanceOf(body) }
    if (answer === null || manners.tools === 'native' || (asked.tools ?? []).length === 0) return answer
    const said = callsIn(answer.text ?? '', asked.tools ?? [])
    if (said.toolCalls.length === 0) return answer
    const toolCalls = said.toolCalls.map((call, index) => ({ ...call, id: `call_${asked.messages.length}_${index}` }))
    return { ...answer, text: said.text, toolCalls, finish: answer.finish === 'stop' ? 'tool_calls' : answer.finish }
  }

  return {
    name,
    described,
    endpoint: new URL(options.baseUrl).host,
    manners,
    offered: (timeoutMs) =>
      client.get('/models', { signal: AbortSignal.timeout(timeoutMs) }).then(readOffered, () => []),
    ...(settings.price !== undefined && { price: settings.price }),
    outputLimit: settings.maxTokens ?? OUTPUT_LIMIT,
    ...shaping(settings),
    async complete(asked, toll) {
      let sent = { version: manners.version, ...wired(described, manners, asked) }
      const { value, headers, ...how } = await ask({
        request(signal) {
          sent = { version: manners.version, ...wired(described, manners, asked) }
          return client.post(sent.path, { body: sent.body, signal })
        },
        read: (body) => read(body, asked),
        what: 'completion',
        tokens: () => countPrompt(asked.messages, asked.tools) + (settings.maxTokens ?? OUTPUT_LIMIT),
        // Of two that were under way together the second has nothing more to learn.
        adapt: (fault) => sent.version < manners.version || stepDown(manners, fault, sent.body),
        charged: (fault) => mistaken(fault, asked),
        overflow: (reason) => new ContextOverflow(reason),
        toll,
      })
      return { ...value, ...how, provenance: { ...value.provenance, ...headers } }
    },
  }
}

const servedSchema = z.object({ model: z.string() })

const named = z.string().optional().catch(undefined)
const provenanceSchema = z.object({ id: named, system_fingerprint: named, provider: named }).catch({})

/** What an answer says of itself beside its words. */
const provenanceOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(provenanceSchema.parse(body)).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  )

const length = z.number().int().positive()
const offeredSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      context_length: length.nullish(),
      max_model_len: length.nullish(),
      context_window: length.nullish(),
      max_context_length: length.nullish(),
      meta: z.object({ n_ctx: length.nullish() }).nullish(),
    }),
  ),
})

/** Each server has its own word for the length of the context. */
function readOffered(body: unknown): Offered[] {
  const { data: read } = offeredSchema.safeParse(body)
  return (read?.data ?? []).map(({ id, meta, ...told }) => ({
    id,
    context:
      told.context_length ??
      told.max_model_len ??
      told.context_window ??
      told.max_context_length ??
      meta?.n_ctx ??
      null,
  }))
}

/** What the server refused as the model's own mistake is its answer, and counts. */
function mistaken({ finish, failed }: Fault, asked: ChatRequest): CompletionBody {
  const said = { text: failed, toolCalls: [] }
  return { ...said, finish: finish ?? 'refusal', usage: countedUsage(wireRequest('', asked), said), unparsed: [] }
}

/** The same client on a `fetch` of this process, for the simulated reader: what the meter keeps for it goes along. */
export function openInProcess({ name, fetch: answer }: { name: string; fetch: typeof fetch }): ChatModel {
  const client = inProcessClient(answer)
  return {
    name,
    async complete(asked) {
      const sent = { ...wireRequest(name, asked), x_reader: asked.reader }
      const { value, ...how } = await exchangeInProcess(name, {
        request: (signal) => client.chat.completions.create(sent, { signal }),
        read: (body) => readCompletion(body, sent),
        what: 'completion',
      })
      return { ...value, ...how }
    },
  }
}
