import type { z } from 'zod'
import { UserError } from '../../define/index.js'
import type { JsonObject } from '../../define/index.js'
import { countAnswer, countPrompt } from '../tokens.js'
import { embeddingRequestSchema, embeddings } from './embeddings.js'
import { isObject, parseJson } from './json-text.js'
import { parseProfile } from './profile.js'
import type { Profile } from './profile.js'
import { requestSchema } from './request.js'
import type { Request } from './request.js'
import { respond } from './respond.js'

const JSON_TYPE = { 'content-type': 'application/json' }
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
  return new Response(JSON.stringify(embeddings(parsed.data)), { headers: JSON_TYPE })
}

function complete(body: string): Response {
  const raw = parseJson(body)
  const parsed = requestSchema.safeParse(raw)
  if (!parsed.success) return failure(400, `No Chat Completions request: ${complaint(parsed.error)}`)
  try {
    return new Response(JSON.stringify(completion(parsed.data, isObject(raw) ? raw : {})), { headers: JSON_TYPE })
  } catch (error) {
    if (error instanceof UserError) return failure(400, error.message)
    throw error
  }
}

/** Tokens are those of the request as it came, whatever of it the reader looks at. */
function completion(request: Request, raw: JsonObject): object {
  const { answer, unparsed } = respond(request, profileOf(request.model))
  const { content, call } = answer
  const toolCalls = call === null ? [] : [{ id: `call_${request.messages.length}`, type: 'function', function: call }]
  const format = raw['response_format']
  const prompt = countPrompt(request.messages, raw['tools'], isObject(format) ? format['json_schema'] : null)
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
  const error = { message, type: 'invalid_request_error', param: null, code: null }
  return new Response(JSON.stringify({ error }), { status, headers: JSON_TYPE })
}

function complaint({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
