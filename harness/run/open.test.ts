import { afterEach, describe, expect, it } from 'vitest'
import { UserError } from '../contract/index.js'
import { countPrompt } from '../model/tokens.js'
import { answers, completion, startChatServer } from '../testing/chat-server.js'
import type { ChatServer } from '../testing/chat-server.js'
import { isSimulated, openModel } from './models.js'

const messages = [{ role: 'user' as const, content: 'Say hello.' }]
const servers: ChatServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(): Promise<ChatServer> {
  const server = await startChatServer([answers(completion({}))])
  servers.push(server)
  return server
}

describe('a real model', () => {
  it('is asked at OPENAI_BASE_URL with the key and the account of the environment', async () => {
    const server = await serve()
    const env = {
      OPENAI_API_KEY: ' sk-1\n',
      OPENAI_BASE_URL: server.url,
      OPENAI_ORG_ID: 'org',
      OPENAI_PROJECT_ID: 'project',
    }
    const { text } = await openModel('gpt-4o-mini', { env }).complete({ messages, seed: 1 })
    const [sent] = server.received
    expect(text).toBe('Hello.')
    expect(sent?.body).toEqual({ model: 'gpt-4o-mini', messages, max_tokens: 2_048 })
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk-1',
      'openai-organization': 'org',
      'openai-project': 'project',
    })
  })

  it('needs no key where a server of one’s own is named', async () => {
    const server = await serve()
    await openModel('local', { env: { OPENAI_BASE_URL: server.url } }).complete({ messages, seed: 1 })
    expect(server.received[0]?.headers.authorization).toBe('Bearer none')
  })

  it.each([
    [
      {},
      'The model "gpt-4o" needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none. Simulated models, such as "sim:typical", need neither.',
    ],
    [
      { OPENAI_API_KEY: '  ' },
      'The model "gpt-4o" needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none. Simulated models, such as "sim:typical", need neither.',
    ],
    [{ OPENAI_API_KEY: 'sk-1\u00e9' }, 'OPENAI_API_KEY holds characters that no key has; copy it again.'],
    [
      { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'user:word@host' },
      'OPENAI_BASE_URL is no http or https address, such as "http://127.0.0.1:8000/v1".',
    ],
  ])('is refused with the way out: %j', (env, sentence) => {
    expect(() => openModel('gpt-4o', { env })).toThrow(new UserError(sentence))
  })
})

describe('a simulated model', () => {
  it('is known by its name', () => {
    expect(['sim:typical', 'sim:', 'simple', 'gpt-4o', ''].map(isSimulated)).toEqual([true, true, false, false, false])
  })

  it('answers without key or network, with the usage that it counted', async () => {
    const model = openModel('sim:careful', { env: {} })
    const { usage, retries } = await model.complete({ messages, seed: 1 })
    expect([model.name, retries, usage.promptTokens, usage.counted]).toEqual([
      'sim:careful',
      0,
      countPrompt(messages),
      false,
    ])
  })

  it('is refused when its profile is unknown', () => {
    expect(() => openModel('sim:genius', { env: {} })).toThrow(UserError)
  })
})
