import { expect, it } from 'vitest'
import { countPrompt } from '../model/tokens.js'
import { simulatedFetch } from './endpoint.js'

const URL = 'http://simulated.invalid/v1/chat/completions'
const fetched = simulatedFetch()
const messages = [{ role: 'user' as const, content: 'Verify that the lamp is LIT.' }]
const tools = [
  {
    type: 'function',
    function: { name: 'what_is', description: 'Lists the tools and documents.', parameters: { type: 'object' } },
  },
]
const post = (body: unknown, init: RequestInit = {}) =>
  fetched(URL, { method: 'POST', body: JSON.stringify(body), ...init })

it('answers as Chat Completions do, the same at each time, with usage counted', async () => {
  const body = { model: 'sim:careful', seed: 4, messages, tools }
  const answer = await post(body)
  const said: { id: string; usage: { completion_tokens: number } } = JSON.parse(await answer.text())
  const prompt = countPrompt(messages, tools)
  expect(said.id).toMatch(/^sim-\d+-\d+$/)
  expect(said).toEqual({
    id: said.id,
    object: 'chat.completion',
    created: 0,
    model: 'sim:careful',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: expect.stringMatching(/^First I need to know what there is\./),
          refusal: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'what_is', arguments: '{}' } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: said.usage.completion_tokens,
      total_tokens: prompt + said.usage.completion_tokens,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    x_unparsed: [],
    x_exposures: [{ trait: 'syntax', subject: 'discover', d: 0, k: 0, kind: 'detour', q: 0, v: 1, erred: false }],
  })
  expect(said.usage.completion_tokens).toBeGreaterThan(20)
  expect(await (await post(body)).json()).toEqual(said)
  expect(await (await fetched(new Request(URL, { method: 'POST', body: JSON.stringify(body) }))).json()).toEqual(said)
})

it('reads and counts tools anew where anything of them differs, also what it does not look at', async () => {
  const told = async (offered: unknown[]): Promise<[number, string]> => {
    const said: {
      usage: { prompt_tokens: number }
      choices: [{ message: { tool_calls: [{ function: { name: string } }] } }]
    } = JSON.parse(await (await post({ model: 'sim:careful', seed: 4, messages, tools: offered })).text())
    return [said.usage.prompt_tokens, said.choices[0].message.tool_calls[0].function.name]
  }
  const renamed = tools.map((tool) => ({ ...tool, function: { ...tool.function, name: 'what_else' } }))
  const strict = tools.map((tool) => ({ ...tool, strict: true }))
  for (const [offered, name] of [
    [tools, 'what_is'],
    [renamed, 'what_else'],
    [strict, 'what_is'],
    [tools, 'what_is'],
  ] as const)
    expect(await told(offered)).toEqual([countPrompt(messages, offered), name])
  expect(countPrompt(messages, strict)).not.toBe(countPrompt(messages, tools))
})

it('says where tools are none', async () => {
  const answer = await post({ model: 'sim:careful', messages, tools: [{ function: { description: 'No name.' } }] })
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('tools.0.function.name: ')])
})

it('tells of the rules that it could not read', async () => {
  const sheet = '# TOOL SPECIFICATION: X\n**Tool ID:** `x`\n* **Operation:** `go`\n* **Preconditions:** be nice to `x`.'
  const content = `<document id="x">\n${sheet}\n</document>`
  const answer = await post({ model: 'sim:', messages: [...messages, { role: 'tool', tool_call_id: '1', content }] })
  expect(await answer.json()).toMatchObject({ x_unparsed: ['x: be nice to `x`'] })
})

it.each([
  [
    { model: 'sim:wise', messages },
    'No simulated profile named "wise". Known: careful, typical, hasty, distracted, fixated.',
  ],
  [
    { model: 'sim:careful' },
    'No Chat Completions request: messages: Invalid input: expected array, received undefined',
  ],
  [
    { model: 'sim:careful', messages, stream: true },
    'No Chat Completions request: stream: Invalid input: expected false',
  ],
])('refuses a request that it cannot answer: %j', async (body, message) => {
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ error: { message, type: 'invalid_request_error', param: null, code: null } })
})

it('rejects when it is aborted, and knows no other address', async () => {
  await expect(post({ model: 'sim:', messages }, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect((await fetched('http://simulated.invalid/v1/models')).status).toBe(404)
})
