import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../contract/index.js'
import type { Json, JsonObject } from '../contract/index.js'
import { Rejected, jsonBody, openLocalServer } from '../door/local-server.js'
import { isObject } from '../kit/index.js'
import { packVector } from '../model/embedding.js'
import { countAnswer, countTokens } from '../model/tokens.js'
import { SIMULATED_EMBEDDING, simulatedFetch } from '../reader/endpoint.js'
import { parseProfile } from '../reader/profile.js'
import { createRandom } from '../sim/random.js'

const MAX_BODY_BYTES = 16 * 1_048_576
const SLOW_MS = 2_000
const RETRY_AFTER_S = '1'
const NAMED = ['reset', 'cut', 'html', 'slow'] as const

/** What befalls a request: a status of 400 to 599, or one of these, and how probable that is. */
type Fault = { kind: number | (typeof NAMED)[number]; share: number }

/** Reads `429:0.1,reset:0.02`. Throws `UserError`. */
export function parseFaults(text: string): Fault[] {
  const faults = text.split(',').map((part): Fault => {
    const [, name, figure] = /^(\w+):(\d*\.?\d+)$/.exec(part.trim()) ?? []
    const [status, share] = [Number(name), Number(figure)]
    const kind = NAMED.find((known) => known === name) ?? (status >= 400 && status <= 599 ? status : null)
    if (kind !== null && share <= 1) return { kind, share }
    throw new UserError(
      `"${part}" is no fault. Write KIND:SHARE, such as 429:0.1: a status from 400 to 599, ${NAMED.join(', ')}, and a share from 0 to 1.`,
    )
  })
  if (faults.reduce((sum, { share }) => sum + share, 0) <= 1) return faults
  throw new UserError(`The shares of "${text}" come to more than 1.`)
}

interface Serving {
  /** `sim:` names, as they are asked for → as they are. */
  models: ReadonlyMap<string, string>
  /** 0: a free one. */
  port: number
  faults: readonly Fault[]
  /** Of the faults. A request meets them by what it says and how often it was sent, so that the order of requests does not matter. */
  seed: number
  /** Real time (ms). */
  sleep?: (delayMs: number) => Promise<unknown>
}

/** Serves simulated models on the loopback interface as OpenAI-compatible endpoints do. Throws `UserError` for a name or port that cannot be served. */
export async function serveModels({ models, port, faults, seed, sleep = delay }: Serving) {
  for (const name of models.values()) parseProfile(name)
  const simulated = simulatedFetch()
  const random = createRandom(String(seed))
  const met = new Map<string, number>()
  const server = await openLocalServer(answer, port)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      server.check(request)
      const path = (request.url ?? '').replace(/\?.*$/, '')
      if (request.method === 'GET') return sendJson(response, 200, listed(path))
      const way = /^\/v1(\/chat\/completions|\/embeddings)$/.exec(path)?.[1]
      if (request.method !== 'POST' || way === undefined)
        throw new Rejected(404, `Nothing is served at ${request.method ?? ''} ${path}.`)
      const body = await jsonBody(request, MAX_BODY_BYTES)
      if (!isObject(body)) throw new Rejected(400, 'The body is no JSON object.')
      const fault = faultOf(`${way} ${JSON.stringify(body)}`)
      if (fault === 'slow') await sleep(SLOW_MS)
      else if (fault !== null) return fail(fault, response)
      if (way === '/embeddings') return sendJson(response, 200, packed(body, await ask(way, embedding(body))))
      const completed = limited(body, await ask(way, { ...readable(body), model: modelOf(body) }))
      const named = { ...completed, model: body['model'] ?? '' }
      if (body['stream'] === true) stream(named, usageWanted(body), response)
      else sendJson(response, 200, named)
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      const { status, message } = error instanceof Rejected ? error : new Rejected(500, 'The server failed.')
      // What is left of a body that was not read would be taken for the next request.
      response.setHeader('connection', 'close')
      sendJson(response, status, { error: complaint(message, status) })
    }
  }

  function listed(path: string): object {
    const data = [...models.keys(), SIMULATED_EMBEDDING].map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'sora-bench',
    }))
    if (path === '/v1/models') return { object: 'list', data }
    const one = data.find(({ id }) => path === `/v1/models/${encodeURIComponent(id)}` || path === `/v1/models/${id}`)
    if (one !== undefined) return one
    throw new Rejected(404, `Nothing is served at GET ${path}.`)
  }

  function faultOf(request: string): Fault['kind'] | null {
    const digest = hash('sha256', request, 'hex')
    const occurrence = met.get(digest) ?? 0
    met.set(digest, occurrence + 1)
    let left = random.stream('fault', digest, occurrence).uniform()
    return faults.find(({ share }) => (left -= share) < 0)?.kind ?? null
  }

  function modelOf({ model }: JsonObject): string {
    const name = typeof model === 'string' ? models.get(model) : undefined
    if (name !== undefined) return name
    throw new Rejected(
      404,
      `The model ${JSON.stringify(model)} does not exist. Served: ${[...models.keys()].join(', ')}.`,
    )
  }

  /** What the endpoint of this program says, without what only this program reads. */
  async function ask(way: string, body: JsonObject): Promise<JsonObject> {
    const answered = await simulated(`http://simulated.invalid/v1${way}`, { body: JSON.stringify(body) })
    const said: Json = JSON.parse(await answered.text())
    if (!isObject(said)) throw new Error('The simulated model gave no object.')
    const { error, x_unparsed: _unparsed, x_exposures: _exposures, ...open } = said
    if (answered.ok) return open
    const reason = isObject(error) ? error['message'] : null
    throw new Rejected(answered.status, typeof reason === 'string' ? reason : 'The request was refused.')
  }

  return { url: `${server.url}/v1`, close: server.close }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const KINDS: Readonly<Record<number, [type: string, code: string | null]>> = {
  401: ['authentication_error', 'invalid_api_key'],
  402: ['insufficient_quota', 'insufficient_quota'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
}

function complaint(message: string, status: number) {
  const [type, code] = KINDS[status] ?? [status < 500 ? 'invalid_request_error' : 'server_error', null]
  return { message, type, param: null, code }
}

function fail(fault: Exclude<Fault['kind'], 'slow'>, response: ServerResponse): void {
  if (fault === 'reset') return void response.socket?.resetAndDestroy()
  if (fault === 'html')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome.</body></html>')
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    return void response.write('{"id":"sim-', () => response.socket?.destroy())
  }
  if (fault === 429 || fault === 503) response.setHeader('retry-after', RETRY_AFTER_S)
  sendJson(response, fault, { error: complaint(`A fault that was asked for: ${fault}.`, fault) })
}

/** A request as the simulated model reads it. What it cannot do is refused, not passed over. */
function readable(body: JsonObject): JsonObject {
  const { messages, tools, tool_choice: choice, response_format: format, n, ...rest } = body
  if (n !== undefined && n !== null && n !== 1) throw new Rejected(400, 'The simulated model gives one choice: n is 1.')
  if (choice === 'required' || isObject(choice))
    throw new Rejected(400, 'The simulated model cannot be made to call a tool: tool_choice is "auto" or "none".')
  if (isObject(format) && format['type'] === 'json_object')
    throw new Rejected(400, 'The simulated model answers in a json_schema, or in text; it has no json_object.')
  const { stream: _stream, stream_options: _options, ...kept } = rest
  return {
    ...kept,
    messages: Array.isArray(messages) ? messages.map(plainMessage) : (messages ?? null),
    ...(Array.isArray(tools) && choice !== 'none' && { tools }),
    ...(isObject(format) && { response_format: format }),
  }
}

/** Newer names of roles, and contents in parts. */
function plainMessage(message: Json): Json {
  if (!isObject(message)) return message
  const { role, content } = message
  const text = Array.isArray(content)
    ? content.map((part) => {
        if (isObject(part) && typeof part['text'] === 'string') return part['text']
        throw new Rejected(400, 'The simulated model reads text alone.')
      })
    : null
  return {
    ...message,
    ...(role === 'developer' && { role: 'system' }),
    ...(text !== null && { content: text.join('') }),
  }
}

/** An answer cut at the limit of the request, as endpoints cut it. */
function limited(body: JsonObject, completed: JsonObject): JsonObject {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  const { choices, usage } = completed
  const choice = Array.isArray(choices) ? choices[0] : undefined
  const message = isObject(choice) ? choice['message'] : undefined
  if (typeof limit !== 'number' || !isObject(usage) || !isObject(choice) || !isObject(message)) return completed
  const { content, tool_calls: calls } = message
  const call = Array.isArray(calls) ? calls[0] : undefined
  const called = isObject(call) && isObject(call['function']) ? call['function'] : null
  const [name, args] = [called?.['name'], called?.['arguments']].map((part) => (typeof part === 'string' ? part : ''))
  const text = typeof content === 'string' ? content : null
  const toolCalls = called === null ? [] : [{ name: name ?? '', arguments: args ?? '' }]
  if (countAnswer({ text, toolCalls }) <= limit) return completed
  const left = limit - countTokens(name ?? '')
  const cut = {
    ...message,
    content: text === null ? null : beginning(text, limit),
    ...(isObject(call) && {
      tool_calls: [{ ...call, function: { ...called, arguments: beginning(args ?? '', left) } }],
    }),
  }
  const prompt = Number(usage['prompt_tokens'])
  return {
    ...completed,
    choices: [{ ...choice, message: cut, finish_reason: 'length' }],
    usage: { ...usage, completion_tokens: limit, total_tokens: prompt + limit },
  }
}

/** The longest beginning of at most so many tokens. */
function beginning(text: string, tokens: number): string {
  let [fits, over] = [0, text.length + 1]
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (countTokens(text.slice(0, middle)) <= tokens) fits = middle
    else over = middle
  }
  return text.slice(0, fits)
}

function embedding(body: JsonObject): JsonObject {
  const { input, model } = body
  return { model: model ?? null, input: typeof input === 'string' ? [input] : (input ?? null) }
}

/** The official client asks for base64 unless it is told otherwise. */
function packed({ encoding_format: format }: JsonObject, answered: JsonObject): JsonObject {
  const { data } = answered
  if (format !== 'base64' || !Array.isArray(data)) return answered
  const pack = (each: Json): Json => {
    const vector = isObject(each) ? each['embedding'] : null
    if (!isObject(each) || !Array.isArray(vector)) return each
    return { ...each, embedding: packVector(vector.map(Number)) }
  }
  return { ...answered, data: data.map(pack) }
}

const usageWanted = ({ stream_options: options }: JsonObject): boolean =>
  isObject(options) && options['include_usage'] === true

/** The same answer as server-sent events: piece by piece. */
function stream({ usage = null, ...completed }: JsonObject, withUsage: boolean, response: ServerResponse): void {
  const { choices, ...head } = completed
  const choice = Array.isArray(choices) && isObject(choices[0]) ? choices[0] : {}
  const message = isObject(choice['message']) ? choice['message'] : {}
  const { content, tool_calls: calls } = message
  const delta = (part: JsonObject, finish: Json = null): JsonObject => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: part, logprobs: null, finish_reason: finish }],
    ...(withUsage && { usage: null }),
  })
  const pieces = typeof content === 'string' ? (content.match(/[^]{1,24}/gu) ?? []) : []
  const events = [
    delta({ role: 'assistant', content: typeof content === 'string' ? '' : null }),
    ...pieces.map((piece) => delta({ content: piece })),
    ...(Array.isArray(calls) ? calls : []).flatMap((call, index) => callDeltas(call, index).map((part) => delta(part))),
    delta({}, choice['finish_reason'] ?? 'stop'),
    ...(withUsage ? [{ ...head, object: 'chat.completion.chunk', choices: [], usage }] : []),
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end('data: [DONE]\n\n')
}

/** First its name, then its arguments in two parts. */
function callDeltas(call: Json, index: number): JsonObject[] {
  if (!isObject(call) || !isObject(call['function'])) return []
  const { name, arguments: args } = call['function']
  const text = typeof args === 'string' ? args : ''
  const half = Math.ceil(text.length / 2)
  const piece = (part: string): JsonObject => ({ tool_calls: [{ index, function: { arguments: part } }] })
  const opening = { index, id: call['id'] ?? '', type: 'function', function: { name: name ?? '', arguments: '' } }
  return [{ tool_calls: [opening] }, piece(text.slice(0, half)), piece(text.slice(half))]
}
