import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { simulatedFetch } from '../reader/endpoint.js'
import { readRun, tracePath } from '../run/store.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatServer, ChatStep, ReceivedRequest } from '../testing/chat-server.js'
import { cli, scratch } from '../testing/cli.js'
import { readTrace } from '../trace/file.js'
import { recordsOf } from '../trace/records.js'

const servers: ChatServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) await server.close()
})

async function serve(play: (body: ReceivedRequest['body']) => ChatStep | Promise<ChatStep>): Promise<ChatServer> {
  const server = await startChatServer([], play)
  servers.push(server)
  return server
}

/** The simulated model behind a real socket. */
async function simulated(body: ReceivedRequest['body']): Promise<ChatStep> {
  const answer = await simulatedFetch()('http://x/v1/chat/completions', {
    body: JSON.stringify({ ...body, model: 'sim:careful' }),
  })
  return { status: answer.status, body: await answer.text() }
}

test('a wrong key costs one call, shows the server’s sentence, and leaves nothing', async () => {
  const key = 'sk-wrong-0123456789'
  const server = await serve(() => ({
    status: 401,
    body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}. You can find yours at home.` } }),
  }))
  vi.stubEnv('MY_KEY', key)
  const folder = scratch()
  const model = `far?baseUrl=${server.url}&keyEnv=MY_KEY`
  const { code, out, err } = await cli('run', 'smoke', '--agents', 's-ora', '--model', model, '--yes', '--out', folder)
  expect([code, out, existsSync(folder), server.received.length]).toEqual([2, '', false, 1])
  expect(server.received[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect(err).toContain(
    'could not be asked: the key was not accepted (HTTP 401): Incorrect API key provided: (hidden). You can find yours at home. Check MY_KEY. No trial was run.',
  )
  expect(err).not.toContain(key)
})

test('a suite names models of several endpoints with settings of their own, for all agents or for one', async () => {
  const [one, two] = [await serve(simulated), await serve(simulated)]
  const folder = scratch()
  const suite = join(folder, '..', 'mine.suite.yaml')
  writeFileSync(
    suite,
    `name: mine
seed: 1
scenarios: 1
environments: [water-hammer]
agents:
  - react-sync
  - use: s-ora
    models:
      - { name: big, as: large, baseUrl: '${two.url}', effort: high, headers: { X-Title: mine } }
models:
  - { name: small, baseUrl: '${one.url}', temperature: 0.2, maxTokens: 800, extra: { top_k: 40 } }
`,
  )
  const { code, err } = await cli('run', suite, '--yes', '--out', folder)
  expect([code, err]).toEqual([0, expect.stringContaining('large at 127.0.0.1')])
  expect(readRun(folder).lines.map(({ identity }) => [identity.agent, identity.model, identity.id])).toEqual([
    ['react-sync', 'small', 'water-hammer/react-sync/small/0'],
    ['s-ora', 'large', 'water-hammer/s-ora/large/0'],
  ])
  const fields = ({ received }: ChatServer) =>
    new Set(
      received.flatMap(({ body: { messages: _messages, tools: _tools, response_format: _format, ...rest } }) =>
        JSON.stringify(rest),
      ),
    )
  expect([fields(one), fields(two)]).toEqual([
    new Set([JSON.stringify({ model: 'small', max_tokens: 800, temperature: 0.2, top_k: 40 })]),
    new Set([JSON.stringify({ model: 'big', reasoning_effort: 'high', max_tokens: 2_048 })]),
  ])
  expect(two.received[0]?.headers['x-title']).toBe('mine')
})

test('each role may have a model of its own', async () => {
  const folder = scratch()
  const model = 'ODD=sim:careful+*=sim:typical'
  const { code } = await cli(
    'run',
    'smoke',
    '--environments',
    'even-odd',
    '--agents',
    'react-polling',
    '--scenarios',
    '1',
    '--model',
    model,
    '--out',
    folder,
  )
  const [line] = readRun(folder).lines
  if (line === undefined) throw new Error('There is no trial.')
  const { trace } = await readTrace(tracePath(folder, line.identity))
  const asked = recordsOf(trace, 'request').map(({ role, model: by }) => `${role} ${by}`)
  expect([code, line.identity.model, new Set(asked)]).toEqual([
    0,
    model,
    new Set(['ODD sim:careful', 'EVEN sim:typical']),
  ])
  const { code: wrong, err } = await cli(
    'run',
    'smoke',
    '--environments',
    'even-odd',
    '--agents',
    'react-polling',
    '--model',
    'ODD=sim:careful',
  )
  expect([wrong, err]).toEqual([2, expect.stringContaining('do not fit even-odd, for the sake of EVEN')])
})

test('what an endpoint refuses is learnt before the first trial, and stands in the run and its report', async () => {
  const server = await serve((body) => {
    if ('max_tokens' in body)
      return { status: 400, body: '{"error":{"message":"Use max_completion_tokens","param":"max_tokens"}}' }
    return simulated(body)
  })
  const folder = scratch()
  const model = `far?baseUrl=${server.url}&context=9000&as=distant`
  const { code } = await cli(
    'run',
    'smoke',
    '--agents',
    'react-sync',
    '--scenarios',
    '1',
    '--model',
    model,
    '--yes',
    '--out',
    folder,
  )
  expect(code).toBe(0)
  expect(server.received.filter(({ body }) => 'max_tokens' in body)).toHaveLength(1)
  expect(readRun(folder).header.preflight).toMatchObject([
    {
      model: 'distant',
      limit: 'max_completion_tokens',
      context: 9_000,
      usage: 'reported',
      rungs: [{ rung: 'max_completion_tokens' }],
    },
  ])
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain(
    'max\\_completion\\_tokens; context 9000 tokens; max',
  )
})

test('a prompt that is longer than the context ends a trial with an outcome of its own', async () => {
  let calls = 0
  const server = await serve((body) =>
    ++calls > 6
      ? { status: 400, body: '{"error":{"message":"This model\'s maximum context length is 4096 tokens."}}' }
      : simulated(body),
  )
  const folder = scratch()
  const { code, out } = await cli(
    'run',
    'smoke',
    '--agents',
    'react-sync',
    '--scenarios',
    '1',
    '--model',
    `far?baseUrl=${server.url}`,
    '--yes',
    '--out',
    folder,
  )
  expect(code).toBe(0)
  expect(readRun(folder).lines).toMatchObject([
    { outcome: 'out_of_context', error: expect.stringContaining("This model's maximum context length is 4096 tokens") },
  ])
  const [line] = readRun(folder).lines
  expect(out).toContain('react-sync')
  const again = await cli('replay', line?.identity.id ?? '', '--run', folder)
  expect(again.code).toBe(0)
})

test('preflight asks a model twice and says what it can do', async () => {
  const tool = { id: 'c', type: 'function', function: { name: 'report', arguments: '{"value":7}' } }
  const server = await serve(({ tools }) =>
    answers(
      completion(
        tools === undefined
          ? { message: { content: '{"value": 7}' } }
          : { message: { content: null, tool_calls: [tool] }, finish: 'tool_calls' },
      ),
    ),
  )
  const { code, out } = await cli('preflight', `far?baseUrl=${server.url}`, '--json')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      model: `far?baseUrl=${server.url}`,
      endpoint: new URL(server.url).host,
      servedBy: 'scripted',
      toolCalls: 'called',
      structured: 'json_schema',
      limit: 'max_tokens',
      limitKept: true,
      usage: 'reported',
      context: null,
      effort: null,
      rungs: [],
    },
  ])
  expect(server.received).toHaveLength(2)
})

test.each([
  ['far?temprature=1', 'there is no "temprature" (known: name, as,'],
  ['far?temperature=5', 'temperature: Too big'],
  ['far?headers.X-Api-Key=abc', 'headers.X-Api-Key: write $NAME, the variable that holds the secret'],
  ['groq:llama', 'The model "groq:llama" needs a key: set GROQ_API_KEY.'],
  ['far?keyEnv=NO_SUCH_KEY', 'needs a key: set NO_SUCH_KEY'],
])('%s is the user’s mistake', async (model, sentence) => {
  vi.stubEnv('GROQ_API_KEY', '')
  const { code, err } = await cli('run', 'smoke', '--agents', 's-ora', '--model', model)
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
})
