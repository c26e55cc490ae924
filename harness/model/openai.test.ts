import { afterEach, describe, expect, it } from 'vitest'
import { InfrastructureError, RunStopped } from '../contract/index.js'
import type { ModelSettings, ToolSpec } from '../contract/index.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatServer, ChatStep } from '../testing/chat-server.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { openEndpoint, openInProcess } from './openai.js'
import { countPrompt, countTokens } from './tokens.js'

const KEY = 'sk-secret-0123456789'
const request: ChatRequest = { messages: [{ role: 'user', content: 'Say hello.' }], seed: 7 }
/** The body of every request here, unless something is set. */
const sent = { model: 'scripted', messages: request.messages, max_tokens: 2_048 }
const described = (settings: Partial<ModelSettings> = {}) => ({
  model: 'scripted',
  settings: { name: 'scripted', ...settings },
  preset: null,
  limit: 'max_tokens' as const,
})
const greeting = answers(completion({}))
const servers: ChatServer[] = []

async function scripted(
  script: ChatStep[],
  { settings, ...options }: { tries?: number; timeoutMs?: number; settings?: Partial<ModelSettings> } = {},
) {
  const server = await startChatServer(script)
  servers.push(server)
  const sleeps: number[] = []
  const sleep = (delayMs: number) => Promise.resolve(sleeps.push(delayMs))
  const model = openEndpoint({
    name: 'scripted',
    key: KEY,
    baseUrl: server.url,
    sleep,
    jitter: () => 0.5,
    described: described(settings),
    ...options,
  })
  return { model, server, sleeps }
}

const ask = async (model: ChatModel, asked = request): Promise<Omit<Completion, 'realMs'>> => {
  const { realMs, servedBy: _servedBy, provenance: _provenance, ...rest } = await model.complete(asked)
  expect(realMs).toBeGreaterThan(0)
  return rest
}

const failureOf = async (model: ChatModel, kind: typeof InfrastructureError = InfrastructureError): Promise<string> => {
  const error: unknown = await model.complete(request).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(kind)
  return error instanceof Error ? error.message : ''
}

const hello: Omit<Completion, 'realMs'> = {
  text: 'Hello.',
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens: 20, completionTokens: 5, cachedTokens: 0, counted: false },
  retries: 0,
  unparsed: [],
}

const busy = (headers: Record<string, string>): ChatStep => ({
  status: 429,
  body: '{"error":{"code":"rate_limit_exceeded"}}',
  headers,
})

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

describe('a request', () => {
  it('carries model, messages and an output limit, and nothing that was not asked for', async () => {
    const { model, server } = await scripted([greeting])
    expect(await ask(model)).toEqual(hello)
    expect(server.received.map(({ path, body, headers }) => [path, body, headers.authorization])).toEqual([
      ['/v1/chat/completions', sent, `Bearer ${KEY}`],
    ])
  })

  it('offers tools, and leaves out what is ours alone', async () => {
    const parameters = { type: 'object', properties: { ms: { type: 'integer' } } }
    const tool: ToolSpec = { kind: 'sleep', name: 'sleep', description: 'Waits.', parameters, actions: [] }
    const { model, server } = await scripted([greeting])
    await ask(model, { ...request, tools: [tool] })
    expect(server.received[0]?.body).toEqual({
      ...sent,
      tools: [{ type: 'function', function: { name: 'sleep', description: 'Waits.', parameters } }],
    })
  })

  it('asks for a schema strictly where all of it is closed and required, and loosely elsewhere', async () => {
    const closed = {
      type: 'object',
      properties: { wait: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
      required: ['wait'],
      additionalProperties: false,
    }
    const open = { ...closed, properties: { ...closed.properties, plan: { type: 'object', properties: {} } } }
    const optional = { ...closed, required: [] }
    const defaulted = { ...closed, properties: { wait: { type: 'string', default: '' } } }
    const schemas = [closed, open, optional, defaulted]
    const { model, server } = await scripted(schemas.map(() => greeting))
    for (const schema of schemas) await ask(model, { ...request, schema: { name: 'plan', schema } })
    expect(server.received.map(({ body }) => body['response_format'])).toEqual([
      { type: 'json_schema', json_schema: { name: 'plan', schema: closed, strict: true } },
      { type: 'json_schema', json_schema: { name: 'plan', schema: open, strict: false } },
      { type: 'json_schema', json_schema: { name: 'plan', schema: optional, strict: false } },
      { type: 'json_schema', json_schema: { name: 'plan', schema: defaulted, strict: false } },
    ])
  })

  it('carries what was set, under the names of the wire, and leaves out what it is told to', async () => {
    const settings: Partial<ModelSettings> = {
      temperature: 0,
      topP: 0.9,
      maxTokens: 800,
      seed: 3,
      effort: 'low',
      extra: { top_k: 40, provider: { order: ['a'] } },
    }
    const { model, server } = await scripted([greeting], { settings })
    await ask(model)
    const set = { temperature: 0, top_p: 0.9, max_tokens: 800, seed: 3, reasoning_effort: 'low' }
    expect(server.received[0]?.body).toEqual({ ...sent, ...set, top_k: 40, provider: { order: ['a'] } })
    const fewer = await scripted([greeting], { settings: { seed: 'trial', omit: ['max_tokens'] } })
    await ask(fewer.model)
    const { max_tokens: _limit, ...rest } = sent
    expect(fewer.server.received[0]?.body).toEqual({ ...rest, seed: request.seed })
  })
})

describe('what is wrong inside a completion is the model’s, and returned', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'sleep', arguments: '{"ms":' } }
  const cases: [string, unknown, Partial<Completion>][] = [
    [
      'a call with broken arguments',
      completion({ message: { content: null, tool_calls: [call] }, finish: 'tool_calls' }),
      { text: null, toolCalls: [{ id: 'call_1', name: 'sleep', arguments: '{"ms":' }], finish: 'tool_calls' },
    ],
    [
      'a refusal',
      completion({ message: { content: null, refusal: 'I cannot.' } }),
      { text: 'I cannot.', finish: 'refusal' },
    ],
    [
      'an end by length',
      completion({ message: { content: '{"completed":' }, finish: 'length' }),
      { text: '{"completed":', finish: 'length' },
    ],
    [
      'an end by content filter',
      completion({ message: { content: null }, finish: 'content_filter' }),
      { text: null, finish: 'content_filter' },
    ],
    [
      'cached tokens',
      completion({ usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } } }),
      { usage: { ...hello.usage, promptTokens: 9, completionTokens: 1, cachedTokens: 4 } },
    ],
    [
      'arguments as an object, and no id',
      completion({
        message: { content: null, tool_calls: [{ function: { name: 'sleep', arguments: { ms: 5 } } }] },
        finish: 'tool_calls',
      }),
      { text: null, toolCalls: [{ id: 'call_1_0', name: 'sleep', arguments: '{"ms":5}' }], finish: 'tool_calls' },
    ],
    [
      'content in parts',
      completion({
        message: {
          content: [
            { type: 'text', text: 'Hel' },
            { type: 'text', text: 'lo.' },
          ],
        },
      }),
      {},
    ],
    ['rules that were not understood', { ...completion({}), x_unparsed: ['a rule'] }, { unparsed: ['a rule'] }],
  ]
  it.each(cases)('%s', async (_name, body, expected) => {
    const { model, sleeps } = await scripted([answers(body)])
    expect(await ask(model)).toEqual({ ...hello, ...expected })
    expect(sleeps).toEqual([])
  })

  it.each([null, { prompt_tokens: 20 }])(
    'counts tokens with the tokenizer where the server tells %j, and says so',
    async (told) => {
      const { model } = await scripted([answers(completion({ usage: told }))])
      const promptTokens = countPrompt(request.messages)
      const usage = { promptTokens, completionTokens: countTokens('Hello.'), cachedTokens: 0, counted: true }
      expect(await ask(model)).toEqual({ ...hello, usage })
    },
  )
})

describe('the infrastructure’s faults are retried, counted and forgiven', () => {
  const cases: [string, ChatStep, number, string][] = [
    ['a rate limit', busy({}), 375, 'the rate limit was reached (HTTP 429): rate_limit_exceeded'],
    [
      'a rate limit that names seconds',
      busy({ 'retry-after': '3' }),
      3_150,
      'the rate limit was reached (HTTP 429): rate_limit_exceeded',
    ],
    [
      'a rate limit that names ms',
      busy({ 'retry-after-ms': '80' }),
      84,
      'the rate limit was reached (HTTP 429): rate_limit_exceeded',
    ],
    [
      'a rate limit that names minutes',
      busy({ 'retry-after': '1m30s' }),
      94_500,
      'the rate limit was reached (HTTP 429): rate_limit_exceeded',
    ],
    [
      'a rate limit that names a day of the past',
      busy({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
      0,
      'the rate limit was reached (HTTP 429): rate_limit_exceeded',
    ],
    ['a server’s failure', { status: 500, body: 'oops' }, 375, 'the server failed (HTTP 500): oops'],
    [
      'a gateway’s page',
      { status: 503, body: '<html><b>Down</b>', headers: { 'content-type': 'text/html' } },
      375,
      'the server failed (HTTP 503): Down',
    ],
    ['a reset', { fault: 'reset' }, 375, 'the connection failed (ECONNRESET)'],
    ['a cut body', { fault: 'cut' }, 375, 'the answer was cut off (UND_ERR_SOCKET)'],
    [
      'a page instead of a completion',
      { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } },
      375,
      'the answer was no completion',
    ],
    ['broken JSON', { status: 200, body: '{"choices":[' }, 375, 'the answer was no JSON'],
    ['no choices', answers({ ...completion({}), choices: [] }), 375, 'the answer was no completion'],
    [
      'an error in a 200',
      answers({ error: { message: 'overloaded' } }),
      375,
      'the server failed (HTTP 502): overloaded',
    ],
    ['no content at all', { status: 200, body: 'null' }, 375, 'the answer was no completion'],
  ]
  it.each(cases)('%s', async (_name, step, waitMs, reason) => {
    const once = await scripted([step, greeting])
    expect(await ask(once.model)).toEqual({ ...hello, retries: 1 })
    expect(once.sleeps).toEqual([waitMs])

    // Waiting mends a rate limit, so it is met more often.
    const tries = 'status' in step && step.status === 429 ? 8 : 2
    const always = await scripted(
      Array.from({ length: tries }, () => step),
      { tries: 2 },
    )
    expect(await failureOf(always.model)).toBe(
      `The model "scripted" could not be asked: ${reason}; given up after ${tries} tries.`,
    )
    expect(always.server.left()).toBe(0)
  })

  it.each(['hang', 'stall'] as const)('a server that lets the client wait: %s', async (fault) => {
    const { model, sleeps } = await scripted([{ fault }, greeting], { timeoutMs: 2_000 })
    expect(await ask(model)).toEqual({ ...hello, retries: 1 })
    expect(sleeps).toEqual([375])
    const always = await scripted([{ fault }], { timeoutMs: 2_000, tries: 1 })
    expect(await failureOf(always.model)).toBe(
      'The model "scripted" could not be asked: no answer within 2 s; given up after 1 try.',
    )
  })

  it('waits about twice as long each time, and gives up after five tries', async () => {
    const { model, sleeps, server } = await scripted(Array.from({ length: 6 }, () => ({ status: 500, body: '' })))
    expect(await failureOf(model)).toBe(
      'The model "scripted" could not be asked: the server failed (HTTP 500); given up after 5 tries.',
    )
    expect(sleeps).toEqual([375, 750, 1_500, 3_000])
    expect(server.left()).toBe(1)
  })

  it('tells which tries may have been paid for, and asks before it goes on', async () => {
    const told: string[] = []
    const html: ChatStep = { status: 200, body: '<html>' }
    const gateway: ChatStep = { status: 504, body: '' }
    const { model } = await scripted([busy({}), { fault: 'cut' }, gateway, { status: 500, body: '' }, html], {
      tries: 5,
    })
    const toll = { lost: () => void told.push('lost'), again: async () => void told.push('again') }
    await expect(model.complete(request, toll)).rejects.toThrow('given up after 5 tries')
    // 429; cut; 504; 500; a page
    expect(told).toEqual(['again', 'lost', 'again', 'lost', 'again', 'again', 'lost'])
  })

  it('a server that is not there', async () => {
    const { model, server } = await scripted([], { tries: 1 })
    await server.close()
    expect(await failureOf(model)).toBe(
      'The model "scripted" could not be asked: the connection failed (ECONNREFUSED); given up after 1 try.',
    )
  })
})

describe('what a retry cannot mend stops the run at once, with the server’s own sentence and without the key', () => {
  const wrong = { error: { message: `Incorrect API key provided: ${KEY}.`, code: 'invalid_api_key', type: 'auth' } }
  const cases: [number, unknown, string][] = [
    [401, wrong, 'the key was not accepted (HTTP 401): Incorrect API key provided: (hidden)'],
    [403, {}, 'the key may not use this model or endpoint (HTTP 403)'],
    [404, { error: { code: 'model_not_found' } }, 'no such model (HTTP 404): model_not_found'],
    [404, 'page not found', 'no such model or endpoint (HTTP 404): page not found'],
    [400, { error: { code: '\u001b[2Jx' } }, 'the request was not accepted (HTTP 400): [2Jx'],
    [
      400,
      { error: { message: 'messages: too many', param: 'messages' } },
      'the request was not accepted (HTTP 400): messages: too many',
    ],
    [400, 'no', 'the request was not accepted (HTTP 400): no'],
    [
      429,
      { error: { type: 'insufficient_quota', message: 'You exceeded your current quota.' } },
      'the account has no quota left (HTTP 429): You exceeded your current quota',
    ],
    [
      402,
      { error: { message: 'Insufficient credits' } },
      'the account has no quota left (HTTP 402): Insufficient credits',
    ],
  ]
  it.each(cases)('%i %j', async (status, body, reason) => {
    const { model, sleeps } = await scripted([{ status, body: JSON.stringify(body) }, greeting])
    expect(await failureOf(model, RunStopped)).toBe(`The model "scripted" could not be asked: ${reason}.`)
    expect(sleeps).toEqual([])
  })

  it('a wait of a day', async () => {
    const { model } = await scripted([busy({ 'retry-after': '86400' })])
    expect(await failureOf(model, RunStopped)).toBe(
      'The model "scripted" could not be asked: the endpoint asks to wait for 1440 minutes (HTTP 429): rate_limit_exceeded.',
    )
  })

  it('a redirection, which would carry the key elsewhere', async () => {
    const other = await startChatServer([])
    servers.push(other)
    const { model } = await scripted([
      { status: 307, body: '', headers: { location: `${other.url}/chat/completions` } },
    ])
    expect(await failureOf(model, RunStopped)).toBe(
      `The model "scripted" could not be asked: the endpoint sends on to ${new URL(other.url).host}, where no key is sent; set that address (HTTP 307).`,
    )
    expect(other.received).toEqual([])
  })
})

describe('a key that the endpoint echoes is hidden', () => {
  it.each([KEY, 'sk-with-"quotes"-and-\\\\'])('in the text, the calls and the way an answer ended: %s', async (key) => {
    const said = `You sent Bearer ${key}.`
    const called = { name: `use_${key}`, arguments: JSON.stringify({ header: said }) }
    const message = { content: said, tool_calls: [{ id: key, type: 'function', function: called }] }
    const server = await startChatServer([answers(completion({ message, finish: key }))])
    servers.push(server)
    const model = openEndpoint({ name: 'scripted', key, baseUrl: server.url, described: described() })
    expect(await ask(model)).toEqual({
      ...hello,
      text: 'You sent Bearer (hidden).',
      toolCalls: [{ id: '(hidden)', name: 'use_(hidden)', arguments: '{"header":"You sent Bearer (hidden)."}' }],
      finish: '(hidden)',
    })
  })

  it('in the code of an error, however it is cut', async () => {
    const body = JSON.stringify({ error: { code: `${'x'.repeat(50)}-${KEY}`, message: KEY, type: KEY } })
    const { model } = await scripted([{ status: 400, body, headers: { 'x-request-id': KEY, 'retry-after': KEY } }])
    expect(await failureOf(model, RunStopped)).toBe(
      'The model "scripted" could not be asked: the request was not accepted (HTTP 400): (hidden).',
    )
  })

  it('but not a word that stands for no key', async () => {
    const server = await startChatServer([answers(completion({ message: { content: 'There is none.' } }))])
    servers.push(server)
    const { text } = await ask(
      openEndpoint({ name: 'scripted', key: 'none', baseUrl: server.url, described: described() }),
    )
    expect(text).toBe('There is none.')
  })
})

describe('an endpoint within the process', () => {
  it('is asked by the same client, with the same body', async () => {
    const bodies: unknown[] = []
    const model = openInProcess({
      name: 'sim:fake',
      fetch: async (url, init) => {
        bodies.push(await new Request(url, init).json())
        return Response.json(completion({}))
      },
    })
    expect(await ask(model)).toEqual(hello)
    expect(bodies).toEqual([{ model: 'sim:fake', ...request }])
  })

  it('shows a bug as it was thrown, and does not try again', async () => {
    const bug = new TypeError('a bug')
    let tries = 0
    const model = openInProcess({ name: 'sim:fake', fetch: () => Promise.reject((tries++, bug)) })
    await expect(model.complete(request)).rejects.toBe(bug)
    expect(tries).toBe(1)
  })
})

it('tells what the endpoint says of an answer beside it, without what belongs to an account or a key', async () => {
  const body = JSON.stringify({ ...completion({}), system_fingerprint: 'fp_1', provider: 'Somebody' })
  const headers = {
    'x-request-id': `req_${KEY}`,
    'openai-organization': 'org-1',
    'set-cookie': 'a=b',
    'openai-processing-ms': '12',
  }
  const { model } = await scripted([{ status: 200, body, headers }])
  expect((await model.complete(request)).provenance).toEqual({
    id: 'chatcmpl-1',
    system_fingerprint: 'fp_1',
    provider: 'Somebody',
    'x-request-id': 'req_(hidden)',
    'openai-processing-ms': '12',
  })
})
