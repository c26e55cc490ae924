import { afterEach, expect, test } from 'vitest'
import { InfrastructureError, UserError } from '../contract/index.js'
import { openEmbeddings } from '../run/models.js'
import { answers, startChatServer } from '../testing/chat-server.js'
import type { ChatServer, ChatStep } from '../testing/chat-server.js'
import { openEmbeddingEndpoint } from './embedding.js'

const KEY = 'sk-secret-0123456789'
const servers: ChatServer[] = []
/** In another order than asked, as the wire allows. */
const list = (vectors: unknown[], usage: object | null = { prompt_tokens: 7, total_tokens: 7 }): ChatStep =>
  answers({
    object: 'list',
    model: 'scripted',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).toReversed(),
    ...(usage === null ? {} : { usage }),
  })

async function scripted(script: ChatStep[]) {
  const server = await startChatServer(script)
  servers.push(server)
  const sleeps: number[] = []
  const sleep = (delayMs: number) => Promise.resolve(sleeps.push(delayMs))
  const model = openEmbeddingEndpoint({ name: 'scripted', key: KEY, baseUrl: server.url, sleep, jitter: () => 0.5 })
  return { model, server, sleeps }
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InfrastructureError)
  return error instanceof Error ? error.message : ''
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

test('Texts go to the endpoint with model and key, and the vectors come back in their order, in single precision.', async () => {
  const { model, server } = await scripted([
    list([
      [0.1, 1],
      [2, 3],
    ]),
  ])
  expect(await model.embed(['one', 'two'])).toEqual({
    vectors: [
      [Math.fround(0.1), 1],
      [2, 3],
    ],
    usage: { promptTokens: 7, completionTokens: 0, cachedTokens: 0, counted: false },
    retries: 0,
  })
  expect(server.received.map(({ path, body, headers }) => [path, body, headers.authorization])).toEqual([
    ['/v1/embeddings', { model: 'scripted', input: ['one', 'two'], encoding_format: 'float' }, `Bearer ${KEY}`],
  ])
})

test('More than 32 texts go in several requests, whose tokens add up.', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`)
  const vectorOf = (index: number) => [index, 1]
  const { model, server } = await scripted([
    list(texts.slice(0, 32).map((_, index) => vectorOf(index))),
    list(texts.slice(32).map((_, index) => vectorOf(32 + index))),
  ])
  const { vectors, usage } = await model.embed(texts)
  expect([vectors, usage.promptTokens, server.received.length]).toEqual([
    texts.map((_, index) => vectorOf(index)),
    14,
    2,
  ])
})

test('Tokens that the endpoint does not report are counted.', async () => {
  const { model } = await scripted([list([[1]], null)])
  expect((await model.embed(['Say hello.'])).usage).toEqual({
    promptTokens: 3,
    completionTokens: 0,
    cachedTokens: 0,
    counted: true,
  })
})

test('What is the infrastructure’s fault is tried again: a rate limit, a reset, half a body, too few vectors, ragged ones.', async () => {
  const { model, sleeps } = await scripted([
    { status: 429, body: '{}', headers: { 'retry-after': '2' } },
    { fault: 'reset' },
    { fault: 'cut' },
    list([[1, 2]]),
    list([[1, 2], [3]]),
  ])
  expect(await failureOf(model.embed(['one', 'two']))).toBe(
    'The model "scripted" could not be asked: the answer was no list of embeddings; given up after 5 tries.',
  )
  expect(sleeps).toEqual([2_100, 750, 1_500, 3_000])
})

test('A wrong key is not tried again, and is told nowhere.', async () => {
  const { model, server } = await scripted([{ status: 401, body: `{"error":{"message":"${KEY}"}}` }])
  const message = await failureOf(model.embed(['one']))
  expect(message).toBe('The model "scripted" could not be asked: the key was not accepted (HTTP 401): (hidden).')
  expect(server.received).toHaveLength(1)
})

test('A name opens the endpoint of the environment, by the rules of chat models.', async () => {
  const server = await startChatServer([list([[4]])])
  servers.push(server)
  const env = { OPENAI_BASE_URL: server.url }
  expect((await openEmbeddings('local', { env }).embed(['one'])).vectors).toEqual([[4]])
  expect(() => openEmbeddings('text-embedding-3-small', { env: {} })).toThrow(
    new UserError(
      'The model "text-embedding-3-small" needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none. ' +
        'Simulated models, such as "sim:typical", need neither.',
    ),
  )
  expect(() => openEmbeddings('sim:typical', { env: {} })).toThrow(
    new UserError('No simulated embeddings "sim:typical". Known: sim:words.'),
  )
  expect(() => openEmbeddings(' ', { env: {} })).toThrow('Embeddings need a model')
})
