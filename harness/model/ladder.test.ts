import { afterEach, expect, test } from 'vitest'
import { RunStopped } from '../contract/index.js'
import type { ModelSettings, ToolSpec } from '../contract/index.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatServer, ChatStep, ReceivedRequest } from '../testing/chat-server.js'
import type { ChatRequest } from './chat.js'
import { openEndpoint } from './openai.js'

const servers: ChatServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Body = ReceivedRequest['body']

async function stubborn(play: (body: Body) => ChatStep, settings: Partial<ModelSettings> = {}) {
  const server = await startChatServer([], play)
  servers.push(server)
  const described = {
    model: 'small',
    settings: { name: 'small', ...settings },
    preset: null,
    limit: 'max_tokens',
  } as const
  const model = openEndpoint({ name: 'small', key: 'sk-0123456789', baseUrl: server.url, described, tries: 1 })
  return { model, bodies: () => server.received.map(({ body }) => body) }
}

const refusal = (message: string, more: Record<string, unknown> = {}, status = 400): ChatStep => ({
  status,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', ...more } }),
})
const hello = answers(completion({}))
const parameters = {
  type: 'object',
  properties: { ms: { type: 'integer' } },
  required: ['ms'],
  additionalProperties: false,
}
const sleep: ToolSpec = { kind: 'sleep', name: 'sleep', description: 'Waits.', parameters, actions: [] }
const plain: ChatRequest = { messages: [{ role: 'user', content: 'Go.' }], seed: 7 }
const structured: ChatRequest = { ...plain, schema: { name: 'plan', schema: parameters } }
const tooled: ChatRequest = { ...plain, tools: [sleep] }

test('the other name of the output limit is learnt from one refusal, for all later calls', async () => {
  const told =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  const { model, bodies } = await stubborn((body) =>
    'max_tokens' in body ? refusal(told, { code: 'unsupported_parameter', param: 'max_tokens' }) : hello,
  )
  expect([await model.complete(plain), await model.complete(plain)]).toMatchObject([{ retries: 0 }, { retries: 0 }])
  expect(bodies().map((body) => Object.keys(body).at(-1))).toEqual([
    'max_tokens',
    'max_completion_tokens',
    'max_completion_tokens',
  ])
  expect(model.manners.rungs).toEqual([
    { rung: 'max_completion_tokens', said: `the request was not accepted (HTTP 400): ${told.slice(0, -1)}` },
  ])
})

test('a limit that is too large is the user’s to lower, and is never left out', async () => {
  const { model } = await stubborn(() => refusal('max_tokens is too large: 2048. This model supports at most 1024.'))
  await expect(model.complete(plain)).rejects.toThrow(RunStopped)
  expect(model.manners.rungs).toEqual([])
})

test('under a budget an endpoint that takes no output limit is refused, with the way out; else it is asked without one', async () => {
  const play = (body: Body): ChatStep => {
    const limit = ['max_tokens', 'max_completion_tokens'].find((name) => name in body)
    return limit === undefined ? hello : refusal(`Unknown parameter: '${limit}'.`, { param: limit })
  }
  const free = await stubborn(play)
  expect(await free.model.complete(plain)).toMatchObject({ text: 'Hello.' })
  expect(free.model.manners.rungs.map(({ rung }) => rung)).toEqual(['max_completion_tokens', 'no output limit'])
  const bounded = await stubborn(play)
  bounded.model.manners.bounded = true
  await expect(bounded.model.complete(plain)).rejects.toThrow(
    new RunStopped(
      'The model "small" could not be asked: the request was not accepted (HTTP 400): Unknown parameter: \'max_completion_tokens\'. ' +
        'Without an output limit no budget can be kept: leave out --max-cost and --budget-tokens, or name another endpoint.',
    ),
  )
  expect(bounded.bodies()).toHaveLength(2)
})

test('an endpoint that knows neither schemas nor JSON gets the schema in its prompt', async () => {
  const { model, bodies } = await stubborn((body) =>
    body['response_format'] === undefined
      ? answers(completion({ message: { content: '```json\n{"ms": 5}\n```' } }))
      : refusal('This response_format type is unavailable now', { param: 'response_format' }),
  )
  expect(await model.complete(structured)).toMatchObject({ text: '```json\n{"ms": 5}\n```' })
  expect(bodies().map((body) => body['response_format'])).toEqual([
    expect.objectContaining({ type: 'json_schema' }),
    { type: 'json_object' },
    undefined,
  ])
  const [system, user] = [bodies()[2]?.['messages']].flat()
  expect(system).toEqual({ role: 'system', content: expect.stringContaining(JSON.stringify(parameters)) })
  expect(user).toEqual({ role: 'user', content: 'Go.' })
  expect(model.manners.rungs.map(({ rung }) => rung)).toEqual(['json_object', 'schema in the prompt'])
})

test('fields that were set and are refused one by one are left out, and each is told', async () => {
  const refused = ['temperature', 'top_p', 'seed', 'reasoning_effort', 'top_k']
  const words = [
    (name: string) => `\`${name}\` is deprecated for this model.`,
    (name: string) => `Unsupported value: '${name}' does not support 0.9 with this model.`,
    (name: string) => `Unrecognized request argument supplied: ${name}`,
    (name: string) => `property '${name}' is unsupported`,
    (name: string) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
  ]
  const { model, bodies } = await stubborn(
    (body) => {
      const at = refused.findIndex((name) => name in body)
      return at === -1 ? hello : refusal(words[at]?.(refused[at] ?? '') ?? '')
    },
    { temperature: 0.5, topP: 0.9, seed: 1, effort: 'low', extra: { top_k: 4, top_n: 5 } },
  )
  await model.complete(plain)
  expect(model.manners.rungs.map(({ rung }) => rung)).toEqual(refused.map((name) => `without ${name}`))
  expect(bodies().at(-1)).toEqual({ model: 'small', messages: plain.messages, max_tokens: 2_048, top_n: 5 })
})

test.each([
  ['"small" does not support tools', 400],
  ['tools param requires --jinja flag', 500],
  ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
  ['No endpoints found that support tool use.', 404],
])('tools are written into the prompt where the endpoint says: %s', async (message, status) => {
  const said = 'I wait.\n```tool_call\n{"name": "sleep", "arguments": {"ms": 5}}\n```'
  const { model, bodies } = await stubborn((body) =>
    'tools' in body ? refusal(message, {}, status) : answers(completion({ message: { content: said } })),
  )
  const answer = await model.complete(tooled)
  expect(answer).toMatchObject({
    text: 'I wait.',
    toolCalls: [{ id: 'call_1_0', name: 'sleep', arguments: '{"ms":5}' }],
    finish: 'tool_calls',
  })
  await model.complete({
    ...tooled,
    messages: [
      ...plain.messages,
      {
        role: 'assistant',
        content: 'I wait.',
        tool_calls: [{ id: 'call_1_0', type: 'function', function: { name: 'sleep', arguments: '{"ms":5}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1_0', content: 'Slept.' },
      { role: 'user', content: 'Go on.' },
    ],
  })
  const [system, ...rest] = [bodies().at(-1)?.['messages']].flat()
  expect(system).toEqual({ role: 'system', content: expect.stringContaining('"name":"sleep","description":"Waits."') })
  expect(rest).toEqual([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'I wait.\n```tool_call\n{"name": "sleep", "arguments": {"ms":5}}\n```' },
    { role: 'user', content: 'Result of sleep:\nSlept.\n\nGo on.' },
  ])
})

test('reasoning models that take tools without reasoning alone are asked so, and the rung says it', async () => {
  const told =
    "Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. Use /v1/responses or set reasoning_effort to 'none'."
  const { model, bodies } = await stubborn((body) =>
    'tools' in body && body['reasoning_effort'] !== 'none' ? refusal(told, { param: 'reasoning_effort' }) : hello,
  )
  await model.complete(tooled)
  expect(bodies().at(-1)).toMatchObject({ reasoning_effort: 'none', tools: [{ type: 'function' }] })
  expect(model.manners).toMatchObject({ effort: 'none', rungs: [{ rung: 'effort none: no reasoning' }] })
})

test('calls that were under way together meet the same rung, which is taken once', async () => {
  const { model, bodies } = await stubborn(
    (body) => ('temperature' in body ? refusal('temperature is not supported') : hello),
    { temperature: 0.3 },
  )
  await Promise.all([model.complete(plain), model.complete(plain), model.complete(plain)])
  await model.complete(plain)
  expect(model.manners.rungs.map(({ rung }) => rung)).toEqual(['without temperature'])
  expect(bodies().filter((body) => !('temperature' in body))).toHaveLength(4)
})

test('the schema of a tool that is refused is a mistake of ours, and stops the run', async () => {
  const { model } = await stubborn(() =>
    refusal("Invalid schema for function 'sleep': ms", { param: 'tools[0].function.parameters' }),
  )
  await expect(model.complete(tooled)).rejects.toThrow("Invalid schema for function 'sleep': ms")
  expect(model.manners.rungs).toEqual([])
})
