import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { APIConnectionError, APIError, OpenAI } from 'openai'
import { afterEach, expect, test } from 'vitest'
import { parseFaults, serveModels } from './model-server.js'

const servers: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(faults = '', seed = 1) {
  const server = await serveModels({
    models: new Map([['mini', 'sim:careful']]),
    port: 0,
    faults: faults === '' ? [] : parseFaults(faults),
    seed,
    sleep: () => Promise.resolve(),
  })
  servers.push(server)
  const client = new OpenAI({ apiKey: 'any', baseURL: server.url, maxRetries: 0, logLevel: 'off' })
  return { url: new URL(server.url), client }
}

const messages = [{ role: 'user' as const, content: 'Goal: open the valve.' }]
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'system_discovery',
      description: 'Lists tools and documents.',
      parameters: { type: 'object', properties: {} },
    },
  },
]
const schema = {
  type: 'object',
  properties: { thought: { type: 'string' }, next: { type: 'string', enum: ['read', 'act'] } },
  required: ['thought', 'next'],
  additionalProperties: false,
}
const format = { type: 'json_schema' as const, json_schema: { name: 'step', schema, strict: true } }

test('the official client is answered: plain, with tools, in a schema, and again the same', async () => {
  const { client } = await serve()
  const ask = () => client.chat.completions.create({ model: 'mini', messages, seed: 1 })
  const plain = await ask()
  expect(plain).toMatchObject({ object: 'chat.completion', model: 'mini', choices: [{ finish_reason: 'stop' }] })
  expect(plain.choices[0]?.message.content).toMatch(/\w/)
  expect(plain.usage?.total_tokens).toBe((plain.usage?.prompt_tokens ?? 0) + (plain.usage?.completion_tokens ?? 0))
  expect(Object.keys(plain).filter((key) => key.startsWith('x_'))).toEqual([])
  expect(await ask()).toEqual(plain)

  const called = await client.chat.completions.create({ model: 'mini', messages, tools })
  expect(called.choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ type: 'function', function: { name: 'system_discovery', arguments: '{}' } }] },
    },
  ])
  const structured = await client.chat.completions.create({ model: 'mini', messages, response_format: format })
  const fields: unknown = JSON.parse(structured.choices[0]?.message.content ?? '')
  expect(Object.keys(Object(fields))).toEqual(['thought', 'next'])
})

test('newer roles and contents in parts are read as the older ones', async () => {
  const { client } = await serve()
  const parts = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Goal: open the valve.' }] }]
  const said = (of: OpenAI.ChatCompletion) => [of.choices, of.usage]
  const [plain, split] = await Promise.all(
    [messages, parts].map((each) => client.chat.completions.create({ model: 'mini', messages: each })),
  )
  expect(plain && said(plain)).toEqual(split && said(split))
  const [system, developer] = await Promise.all(
    (['system', 'developer'] as const).map((role) =>
      client.chat.completions.create({ model: 'mini', messages: [{ role, content: 'Rules.' }, ...messages] }),
    ),
  )
  expect(developer && said(developer)).toEqual(system && said(system))
})

test('a stream comes to the very answer that a plain request gets', async () => {
  const { client } = await serve()
  const bodies = [{ messages }, { messages, tools }, { messages, response_format: format }]
  for (const body of bodies) {
    const plain = await client.chat.completions.create({ model: 'mini', ...body })
    const options = { include_usage: true }
    const streamed = await client.chat.completions
      .stream({ model: 'mini', ...body, stream_options: options })
      .finalChatCompletion()
    const told = ({ choices: [choice], usage }: Pick<OpenAI.ChatCompletion, 'choices' | 'usage'>) => [
      choice?.finish_reason,
      choice?.message.content ?? null,
      choice?.message.tool_calls
        ?.map((call) => (call.type === 'function' ? { id: call.id, ...call.function } : call))
        .map(({ id, ...called }) => ({
          id,
          name: 'name' in called && called.name,
          arguments: 'arguments' in called && called.arguments,
        })) ?? [],
      usage,
    ]
    expect(told(streamed)).toEqual(told(plain))
  }
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of await client.chat.completions.create({ model: 'mini', messages, stream: true }))
    chunks.push(chunk)
  expect(chunks.some(({ usage }) => usage !== undefined)).toBe(false)
  expect(chunks.length).toBeGreaterThan(3)
})

test('an output limit cuts the answer there, under either of its names', async () => {
  const { client } = await serve()
  const whole = await client.chat.completions.create({ model: 'mini', messages, response_format: format })
  for (const limit of [{ max_tokens: 4 }, { max_completion_tokens: 4 }]) {
    const cut = await client.chat.completions.create({ model: 'mini', messages, response_format: format, ...limit })
    expect([cut.choices[0]?.finish_reason, cut.usage?.completion_tokens]).toEqual(['length', 4])
    const text = cut.choices[0]?.message.content ?? ''
    expect(text).not.toBe('')
    expect(whole.choices[0]?.message.content?.startsWith(text)).toBe(true)
  }
})

test('embeddings come as the client asks for them, packed or plain', async () => {
  const { client } = await serve()
  const input = ['open the valve', 'the weather of tomorrow']
  const packed = await client.embeddings.create({ model: 'sim:words', input })
  const plain = await client.embeddings.create({ model: 'sim:words', input, encoding_format: 'float' })
  expect(packed.data.map(({ embedding }) => embedding.map(Math.fround))).toEqual(
    plain.data.map(({ embedding }) => embedding.map(Math.fround)),
  )
  expect(plain.data).toHaveLength(2)
  const single = await client.embeddings.create({
    model: 'sim:words',
    input: 'open the valve',
    encoding_format: 'float',
  })
  expect(single.data[0]?.embedding).toEqual(plain.data[0]?.embedding)
})

const refusalOf = async (asked: PromiseLike<unknown>): Promise<[status: unknown, message: string]> => {
  const error: unknown = await Promise.resolve(asked).catch((thrown: unknown) => thrown)
  return error instanceof APIError ? [error.status, error.message] : [null, String(error)]
}

test('models are listed, and what cannot be done is refused with the reason', async () => {
  const { client } = await serve()
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['mini', 'sim:words'])
  expect(await client.models.retrieve('sim:words')).toMatchObject({ id: 'sim:words', object: 'model' })
  const create = (body: object) => client.chat.completions.create({ model: 'mini', messages, ...body })
  expect(await refusalOf(create({ model: 'other' }))).toEqual([404, expect.stringContaining('Served: mini')])
  expect(await refusalOf(create({ n: 2 }))).toEqual([400, expect.stringContaining('n is 1')])
  expect(await refusalOf(create({ tools, tool_choice: 'required' }))).toEqual([
    400,
    expect.stringContaining('tool_choice'),
  ])
  expect(await refusalOf(create({ response_format: { type: 'json_object' } }))).toEqual([
    400,
    expect.stringContaining('json_schema'),
  ])
  expect(await refusalOf(create({ messages: 'none' }))).toEqual([400, expect.stringContaining('messages')])
  const image = { type: 'image_url', image_url: { url: 'data:,' } }
  expect(await refusalOf(create({ messages: [{ role: 'user', content: [image] }] }))).toEqual([
    400,
    expect.stringContaining('text alone'),
  ])
})

test('another Host or Origin is refused, and so is what is no JSON or no path', async () => {
  const { url } = await serve()
  const send = (headers: Record<string, string>, { path = '/v1/chat/completions', body = '{}' } = {}) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: url.port, method: 'POST', path, headers })
      sent.on('error', reject)
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
      sent.end(body)
    })
  expect(await send({ host: 'evil.example' })).toBe(403)
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(await send({ origin: url.origin })).toBe(404)
  expect(await send({}, { body: 'no JSON' })).toBe(400)
  expect(await send({}, { path: '/v1/images' })).toBe(404)
})

test('faults befall requests by what they say and how often they came: the order of the others changes nothing', async () => {
  const play = async (order: readonly number[], seed: number) => {
    const { client } = await serve('429:0.2,500:0.1,reset:0.1,cut:0.1,html:0.1,slow:0.1', seed)
    const met = new Map<number, string>()
    for (const index of order) {
      const asked = client.chat.completions.create({ model: 'mini', messages, seed: index }).withResponse()
      const how = await asked.then(
        ({ data, response }) => (typeof data === 'string' ? 'html' : String(response.status)),
        (error: unknown) =>
          error instanceof APIConnectionError
            ? 'reset'
            : error instanceof APIError && error.status
              ? String(error.status)
              : 'cut',
      )
      met.set(index, how)
    }
    return [...met].toSorted(([a], [b]) => a - b).map(([, how]) => how)
  }
  const order = Array.from({ length: 40 }, (_, index) => index)
  const first = await play(order, 1)
  expect(new Set(first).size).toBeGreaterThanOrEqual(5)
  expect(await play(order.toReversed(), 1)).toEqual(first)
  expect(await play(order, 2)).not.toEqual(first)
})

test('a rate limit tells how long to wait', async () => {
  const { client } = await serve('429:1')
  const error: unknown = await client.chat.completions
    .create({ model: 'mini', messages })
    .catch((thrown: unknown) => thrown)
  expect(error instanceof APIError && [error.status, error.code, error.headers?.get('retry-after')]).toEqual([
    429,
    'rate_limit_exceeded',
    '1',
  ])
})

test.each([
  ['429', 'KIND:SHARE'],
  ['429:2', 'KIND:SHARE'],
  ['200:0.1', 'KIND:SHARE'],
  ['storm:0.1', 'reset, cut, html, slow'],
  ['429:0.6,reset:0.5', 'more than 1'],
])('the faults "%s" are refused', (text, reason) => {
  expect(() => parseFaults(text)).toThrow(reason)
})

test('curl gets an answer and a stream from the command', async () => {
  const child = spawn(process.execPath, ['dist/harness/cli/bin.js', 'serve-model', 'mini=sim:careful'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [chunk] = await once(child.stdout, 'data')
    const url = String(chunk).trim()
    const curl = (body: object) =>
      promisify(execFile)('curl', [
        '-sN',
        `${url}/chat/completions`,
        '-H',
        'content-type: application/json',
        '-d',
        JSON.stringify(body),
      ])
    const { stdout } = await curl({ model: 'mini', messages })
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
    const streamed = await curl({ model: 'mini', messages, stream: true })
    expect(streamed.stdout.trim().split('\n\n').at(-1)).toBe('data: [DONE]')
  } finally {
    child.kill('SIGINT')
  }
  expect(await once(child, 'exit')).toEqual([0, null])
})
