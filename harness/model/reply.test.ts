import { afterEach, describe, expect, it } from 'vitest'
import type { Message, ModelSettings, ToolSpec } from '../contract/index.js'
import { said } from '../kit/index.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatServer } from '../testing/chat-server.js'
import type { ChatRequest } from './chat.js'
import { openEndpoint } from './openai.js'
import { PRESETS } from './presets.js'

const servers: ChatServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function scripted(bodies: unknown[], settings: Partial<ModelSettings> = {}, preset: string | null = null) {
  const server = await startChatServer(bodies.map(answers))
  servers.push(server)
  const described = {
    model: 'deep',
    settings: { name: 'deep', ...settings },
    preset: preset === null ? null : (PRESETS[preset] ?? null),
    limit: 'max_tokens',
  } as const
  return { model: openEndpoint({ name: 'deep', key: 'none', baseUrl: server.url, described, tries: 1 }), server }
}

const go: Message[] = [{ role: 'user', content: 'Go.' }]
const request: ChatRequest = { messages: go, seed: 7 }

/** The conversation as an agent keeps it, and one message more. */
const goingOn = (answer: {
  text: string | null
  toolCalls: { id: string; name: string; arguments: string }[]
  finish: string
  usage: Parameters<typeof said>[0]['usage']
}): ChatRequest => ({
  ...request,
  messages: [
    ...go,
    ...said({ status: 'answered', ...answer }),
    ...answer.toolCalls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Done.' })),
  ],
})

const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'sleep', arguments: '{"ms":5}' },
  ...more,
})

describe('thoughts', () => {
  it.each([
    ['<think>Hm.</think>\n{"a":1}', '{"a":1}', 'Hm.'],
    ['Hm.</think>{"a":1}', '{"a":1}', 'Hm.'],
    ['<think>Hm, and then', null, 'Hm, and then'],
  ])('stand in the text of some servers, and are no part of the answer: %s', async (content, text, reasoning) => {
    const { model } = await scripted([completion({ message: { content } })])
    expect(await model.complete(request)).toMatchObject({ text, reasoning })
  })

  it('come back where the provider wants them, even empty ones, and are counted where it counts them', async () => {
    const message = { content: null, reasoning_content: '', tool_calls: [call('c1')] }
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 8,
      completion_tokens_details: { reasoning_tokens: 6 },
      prompt_cache_hit_tokens: 3,
    }
    const { model, server } = await scripted([completion({ message, usage }), completion({})], {}, 'deepseek')
    const answer = await model.complete(request)
    expect(answer.usage).toEqual({
      promptTokens: 9,
      completionTokens: 8,
      cachedTokens: 3,
      reasoningTokens: 6,
      counted: false,
    })
    await model.complete(goingOn(answer))
    expect(server.received[1]?.body['messages']).toEqual([
      ...go,
      { role: 'assistant', content: null, reasoning_content: '', tool_calls: [call('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ])
  })

  it('sign the calls of some providers, and the signature goes back with its call', async () => {
    const signed = call('c1', { extra_content: { google: { thought_signature: 'abc' } } })
    const { model, server } = await scripted(
      [completion({ message: { content: null, tool_calls: [signed] } }), completion({})],
      {},
      'gemini',
    )
    await model.complete(goingOn(await model.complete(request)))
    expect(server.received[1]?.body['messages']).toMatchObject([{}, { tool_calls: [signed] }, {}])
  })
})

describe('structured answers', () => {
  it('are asked for in the prompt where the provider would ignore a schema', async () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const { model, server } = await scripted([completion({})], {}, 'anthropic')
    await model.complete({ ...request, schema: { name: 'plan', schema } })
    expect(server.received[0]?.body).toEqual({
      model: 'deep',
      messages: [{ role: 'system', content: expect.stringContaining(JSON.stringify(schema)) }, ...go],
      max_tokens: 2_048,
    })
  })
})

describe('calls', () => {
  it('with equal ids, or none, are told apart', async () => {
    const { model } = await scripted([
      completion({ message: { content: null, tool_calls: [call('0'), call('0'), call('')] } }),
    ])
    const { toolCalls } = await model.complete(request)
    expect(toolCalls.map(({ id }) => id)).toEqual(['0', '0_1_1', 'call_1_2'])
  })

  it('are seen by themselves, whatever the server says of the end', async () => {
    const { model } = await scripted([
      completion({ message: { content: null, tool_calls: [call('1')] }, finish: 'stop' }),
      completion({ message: { tool_calls: [] }, finish: 'tool_calls' }),
    ])
    expect([await model.complete(request), await model.complete(request)]).toMatchObject([
      { toolCalls: [{ id: '1' }], finish: 'stop' },
      { toolCalls: [], finish: 'stop' },
    ])
  })

  it('whose arguments are no object go back as none, which some servers would refuse for ever', async () => {
    const broken = { id: 'c1', type: 'function', function: { name: 'sleep', arguments: '{"ms":' } }
    const { model, server } = await scripted([
      completion({ message: { content: null, tool_calls: [broken] } }),
      completion({}),
    ])
    const answer = await model.complete(request)
    expect(answer.toolCalls).toEqual([{ id: 'c1', name: 'sleep', arguments: '{"ms":' }])
    await model.complete(goingOn(answer))
    expect(server.received[1]?.body['messages']).toMatchObject([
      {},
      { tool_calls: [{ function: { arguments: '{}' } }] },
      {},
    ])
  })
})

describe('Responses', () => {
  const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const tool: ToolSpec = { kind: 'sleep', name: 'sleep', description: 'Waits.', parameters, actions: [] }
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'sleep', arguments: '{}' },
  ]
  const usage = {
    input_tokens: 9,
    output_tokens: 8,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 6 },
  }

  it('are asked with their own names for everything, and get back what they sent', async () => {
    const { model, server } = await scripted(
      [
        { status: 'completed', output, usage },
        {
          status: 'completed',
          output: [{ type: 'message', content: [{ type: 'output_text', text: '{"a":1}' }] }],
          usage,
        },
      ],
      { api: 'responses', effort: 'low', temperature: 1 },
    )
    const answer = await model.complete({ ...request, tools: [tool] })
    expect(answer).toMatchObject({
      text: null,
      toolCalls: [{ id: 'c1', name: 'sleep', arguments: '{}' }],
      finish: 'tool_calls',
      reasoning: 'Hm.',
      usage: { promptTokens: 9, completionTokens: 8, cachedTokens: 4, reasoningTokens: 6 },
    })
    const next = await model.complete({ ...goingOn(answer), schema: { name: 'plan', schema: parameters } })
    expect(next).toMatchObject({ text: '{"a":1}', finish: 'stop' })
    expect(server.received.map(({ path, body }) => [path, body])).toEqual([
      [
        '/v1/responses',
        {
          model: 'deep',
          input: go,
          tools: [{ type: 'function', name: 'sleep', description: 'Waits.', parameters, strict: false }],
          reasoning: { effort: 'low' },
          max_output_tokens: 2_048,
          temperature: 1,
        },
      ],
      [
        '/v1/responses',
        {
          model: 'deep',
          input: [...go, ...output, { type: 'function_call_output', call_id: 'c1', output: 'Done.' }],
          text: { format: { type: 'json_schema', name: 'plan', schema: parameters, strict: true } },
          reasoning: { effort: 'low' },
          max_output_tokens: 2_048,
          temperature: 1,
        },
      ],
    ])
  })

  it.each([
    [
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] },
      { finish: 'length', text: null },
    ],
    [
      { status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] },
      { finish: 'refusal', text: 'No.', usage: { counted: true } },
    ],
  ])('that ended early are the model’s: %j', async (body, expected) => {
    const { model } = await scripted([body], { api: 'responses' })
    expect(await model.complete(request)).toMatchObject(expected)
  })
})
