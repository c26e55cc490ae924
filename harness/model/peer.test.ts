import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InfrastructureError, RunStopped } from '../contract/index.js'
import type { ModelSettings, ToolSpec } from '../contract/index.js'
import { ContextOverflow } from './chat.js'
import type { ChatRequest } from './chat.js'
import { openEndpoint } from './openai.js'

/** A fault server that others have written: what it takes for an endpoint is not what we do. */
let mock: LLMock
beforeEach(async () => {
  mock = new LLMock({ port: 0 })
  await mock.start()
})
afterEach(() => mock.stop())

const open = (settings: Partial<ModelSettings> = {}) =>
  openEndpoint({
    name: 'peer',
    key: 'sk-0123456789',
    baseUrl: `${mock.url}/v1`,
    described: { model: 'gpt-4o', settings: { name: 'gpt-4o', ...settings }, preset: null, limit: 'max_tokens' },
    sleep: () => Promise.resolve(),
    tries: 3,
  })

const parameters = {
  type: 'object',
  properties: { ms: { type: 'integer' } },
  required: ['ms'],
  additionalProperties: false,
}
const tool: ToolSpec = { kind: 'sleep', name: 'sleep', description: 'Waits.', parameters, actions: [] }
const request: ChatRequest = { messages: [{ role: 'user', content: 'Please wait.' }], seed: 7 }

test.each(['chat', 'responses'] as const)('texts, calls and thoughts come through: %s', async (api) => {
  mock.onMessage('wait', { toolCalls: [{ name: 'sleep', arguments: '{"ms":5}' }] })
  mock.onMessage('hello', { content: 'Hello.', reasoning: 'Be polite.' })
  const model = open({ api })
  expect(await model.complete({ ...request, tools: [tool] })).toMatchObject({
    toolCalls: [{ name: 'sleep', arguments: '{"ms":5}' }],
    finish: 'tool_calls',
    usage: { counted: false },
  })
  const hello = await model.complete({ ...request, messages: [{ role: 'user', content: 'Say hello.' }] })
  expect(hello).toMatchObject({ text: 'Hello.', reasoning: 'Be polite.', finish: 'stop' })
})

test.each([
  [429, { message: 'Rate limit reached' }],
  [500, { message: 'oops' }],
  [503, { message: 'overloaded' }],
])('HTTP %i is tried again, and counted', async (status, body) => {
  mock.onMessage('wait', { content: 'Waited.' })
  mock.nextRequestError(status, body)
  expect(await open().complete(request)).toMatchObject({ text: 'Waited.', retries: 1 })
})

test.each([
  [{ dropRate: 1 }, 'the server failed (HTTP 500)'],
  [{ malformedRate: 1 }, 'the answer was no JSON'],
  [{ disconnectRate: 1 }, 'the connection failed'],
])('its chaos %j is the infrastructure’s', async (chaos, reason) => {
  mock.onMessage('wait', { content: 'Waited.' })
  mock.setChaos(chaos)
  const error: unknown = await open()
    .complete(request)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InfrastructureError)
  expect(String(error)).toContain(reason)
})

test('its errors of keys and contexts are told apart', async () => {
  mock.onMessage('wait', { content: 'Waited.' })
  mock.nextRequestError(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' })
  await expect(open().complete(request)).rejects.toBeInstanceOf(RunStopped)
  mock.nextRequestError(400, { message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' })
  await expect(open().complete(request)).rejects.toBeInstanceOf(ContextOverflow)
})
