import { afterEach, expect, test, vi } from 'vitest'
import { readRun, tracePath } from '../run/store.js'
import { answers, startChatServer } from '../testing/chat-server.js'
import type { ChatServer } from '../testing/chat-server.js'
import { cli, scratch } from '../testing/cli.js'
import { readTrace } from '../trace/file.js'
import { notesOf, recordsOf } from '../trace/records.js'

const servers: ChatServer[] = []
const options = (out: string, embeddings: string) => {
  const params = ['memory=persistent', `memoryPath=${scratch()}`, `embeddings=${embeddings}`]
  const given = params.flatMap((param) => ['--param', `s-ora.${param}`])
  return ['default', '--agents', 's-ora', '--model', 'sim:careful', '--scenarios', '2', '--out', out, ...given]
}

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) await server.close()
})

test('A trial that failed for want of embeddings is done again, and remembers the others but not itself.', async () => {
  const unasked = { status: 500, body: '{}', headers: { 'retry-after': '0' } }
  const server = await startChatServer(
    Array.from({ length: 5 }, () => unasked),
    ({ input }) => {
      const texts = Array.isArray(input) ? input : []
      const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: [1, index] }))
      return answers({ object: 'list', model: 'local', data, usage: { prompt_tokens: 40, total_tokens: 40 } })
    },
  )
  servers.push(server)
  vi.stubEnv('OPENAI_BASE_URL', server.url)
  vi.stubEnv('OPENAI_API_KEY', '')
  const out = scratch()
  const failed = await cli('run', ...options(out, 'local'), '--yes')
  expect([failed.code, readRun(out).lines.map(({ outcome, error }) => [outcome, error])]).toEqual([
    3,
    [
      ['solved', null],
      [
        'infrastructure_error',
        'The model "local" could not be asked: the server failed (HTTP 500); given up after 5 tries.',
      ],
    ],
  ])
  expect(failed.err).toMatch(/^local: embeddings, in at most 2 trials; not estimated\.\n/)
  const redone = await cli('run', '--resume', out, '--retry-errors', '--yes')
  const { lines } = readRun(out)
  expect([redone.code, lines.map(({ outcome }) => outcome), server.received.length]).toEqual([
    0,
    ['solved', 'solved'],
    6,
  ])
  const [, second] = lines
  if (second === undefined) throw new Error('There is no second trial.')
  const { trace } = await readTrace(tracePath(out, second.identity))
  expect([
    notesOf(trace, 'recall').map(({ data }) => data['experiences']),
    recordsOf(trace, 'embedding').map(({ model, usage, costUsd }) => [model, usage.promptTokens, costUsd]),
  ]).toEqual([[1], [['local', 40, null]]])
})

test('Embeddings that cost need a confirmation, and those that need a key are refused before any trial.', async () => {
  vi.stubEnv('OPENAI_BASE_URL', '')
  vi.stubEnv('OPENAI_API_KEY', '')
  const keyless = await cli('run', ...options(scratch(), 'text-embedding-3-small'))
  expect([keyless.code, keyless.err.includes('The model "text-embedding-3-small" needs a key')]).toEqual([2, true])
  vi.stubEnv('OPENAI_API_KEY', 'sk-none')
  const unasked = await cli('run', ...options(scratch(), 'text-embedding-3-small'))
  expect([unasked.code, unasked.err.includes('Calls to a real model need a confirmation')]).toEqual([2, true])
})
