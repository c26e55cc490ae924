import { hash } from 'node:crypto'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import type { JsonObject } from '../contract/index.js'
import { countAnswer, countPrompt, countTokens } from '../model/tokens.js'
import { parseProfile } from './profile.js'
import type { Profile } from './profile.js'
import { countTools, requestSchema } from './read/request.js'
import type { Request } from './read/request.js'
import { isObject, parseJson } from '../kit/index.js'
import { wordsOf } from './read/text.js'
import { respond } from './reply.js'

/** The one embedding of this program: the content words of a text, hashed. It knows no meaning and no likeness of words. */
export const SIMULATED_EMBEDDING = 'sim:words'
const DIMENSIONS = 256

const embeddingRequestSchema = z.object({
  model: z.literal(SIMULATED_EMBEDDING),
  input: z.array(z.string()).min(1),
})

/** The body of an answer, as endpoints give it. */
function embeddings({ model, input }: z.output<typeof embeddingRequestSchema>): object {
  const tokens = input.reduce((sum, text) => sum + countTokens(text), 0)
  return {
    object: 'list',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** Of length 1. Each word adds to one dimension, or takes from it; of a text without any the whole is its one word. */
function embed(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  const words = [...wordsOf(text)]
  for (const word of words.length === 0 ? [text] : words) {
    const digest = hash('sha256', word, 'buffer')
    const at = digest.readUInt16LE(0) % DIMENSIONS
    vector[at] = (vector[at] ?? 0) + (digest.readUInt8(2) % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  // Words that cancel each other out leave nothing to compare.
  return length === 0 ? vector : vector.map((value) => value / length)
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** To be read as `json()` or `text()`: the body is at hand, and a stream of it would cost more than many an answer. */
function jsonResponse(body: object, status = 200): Response {
  const text = JSON.stringify(body)
  const response = new Response(null, { status, headers: JSON_TYPE })
  return Object.assign(response, { text: async () => text, json: async (): Promise<unknown> => JSON.parse(text) })
}

const profiles = new Map<string, Profile>()

/**
 * A `fetch` behind which the simulated model speaks Chat Completions: no network, no time, no chance. Equal bodies get
 * equal answers, byte for byte. Rejects when `init.signal` is aborted.
 */
export function simulatedFetch(): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : null
    const signal = init?.signal ?? request?.signal ?? null
    signal?.throwIfAborted()
    const body = typeof init?.body === 'string' ? init.body : ((await request?.text()) ?? '')
    signal?.throwIfAborted()
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    if (url.endsWith('/embeddings')) return embedTexts(body)
    return url.endsWith('/chat/completions') ? complete(body) : failure(404, `The simulated model has no ${url}.`)
  }
}

function embedTexts(body: string): Response {
  const parsed = embeddingRequestSchema.safeParse(parseJson(body))
  if (!parsed.success) return failure(400, `No request for embeddings: ${complaint(parsed.error)}`)
  return jsonResponse(embeddings(parsed.data))
}

function complete(body: string): Response {
  const raw = parseJson(body)
  const parsed = requestSchema.safeParse(raw)
  if (!parsed.success) return failure(400, `No Chat Completions request: ${complaint(parsed.error)}`)
  try {
    return jsonResponse(completion(parsed.data, isObject(raw) ? raw : {}))
  } catch (error) {
    if (error instanceof UserError) return failure(400, error.message)
    throw error
  }
}

/** Tokens are those of the request as it came, whatever of it the reader looks at. */
function completion(request: Request, raw: JsonObject): object {
  const { answer, unparsed, exposures } = respond(request, profileOf(request.model))
  const { content, call } = answer
  const toolCalls = call === null ? [] : [{ id: `call_${request.messages.length}`, type: 'function', function: call }]
  const format = raw['response_format']
  const schema = isObject(format) ? format['json_schema'] : null
  const prompt = countPrompt(request.messages, null, schema) + countTools(request.tools, raw['tools'])
  const written = countAnswer({ text: content, toolCalls: call === null ? [] : [call] })
  return {
    id: `sim-${request.seed ?? 0}-${request.messages.length}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, ...(call === null ? {} : { tool_calls: toolCalls }) },
        logprobs: null,
        finish_reason: call === null ? 'stop' : 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: written,
      total_tokens: prompt + written,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    x_unparsed: unparsed,
    x_exposures: exposures,
  }
}

function profileOf(name: string): Profile {
  const known = profiles.get(name)
  if (known !== undefined) return known
  const profile = parseProfile(name)
  if (profiles.size >= 1_000) profiles.clear()
  profiles.set(name, profile)
  return profile
}

function failure(status: number, message: string): Response {
  return jsonResponse({ error: { message, type: 'invalid_request_error', param: null, code: null } }, status)
}

function complaint({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
