import { request } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLoopback } from './loopback.js'

type Loopback = Awaited<ReturnType<typeof openLoopback>>

const serve = (): Server => new Server({ name: 'test', version: '1' }, { capabilities: {} })
let loopback: Loopback
let url: URL
beforeAll(async () => {
  loopback = await openLoopback()
  url = new URL(loopback.open(serve))
})
afterAll(() => loopback.close())

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const hello = (id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

interface Answer {
  status: number
  body: string
  session: string | undefined
}

/** By hand: `fetch` forbids to lie about Host. */
function ask(parts: {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}): Promise<Answer> {
  const { method = 'POST', path = url.pathname, headers = {}, body } = parts
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: url.port, method, path, headers: { ...MCP, ...headers } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const session = response.headers['mcp-session-id']
        resolve({ status: response.statusCode ?? 0, body: text, session: session?.toString() })
      })
    })
    sent.end(body)
  })
}
const begin = (headers: Record<string, string> = {}) => ask({ headers, body: JSON.stringify(hello()) })

test('it listens on the loopback interface, at a path that cannot be guessed', () => {
  expect(url.hostname).toBe('127.0.0.1')
  expect(url.pathname).toMatch(/^\/mcp\/[0-9a-f-]{36}$/)
})

test('a session begins with initialize, is told by its id, and ends by DELETE', async () => {
  const { status, body, session = '' } = await begin()
  expect([status, JSON.parse(body)]).toMatchObject([200, { id: 1, result: { serverInfo: { name: 'test' } } }])
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
  const own = { 'mcp-session-id': session }
  expect(await ask({ headers: own, body: ping })).toMatchObject({ status: 200 })
  expect(await ask({ body: ping })).toMatchObject({ status: 400, body: expect.stringContaining('begins with') })
  expect(await ask({ method: 'DELETE', headers: own })).toMatchObject({ status: 200 })
  expect(await ask({ headers: own, body: ping })).toMatchObject({ status: 404 })
})

test('a session of one path is none of another', async () => {
  const { session = '' } = await begin()
  const other = new URL(loopback.open(serve)).pathname
  const answer = await ask({ path: other, headers: { 'mcp-session-id': session }, body: JSON.stringify(hello()) })
  expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('No such session') })
})

test.each([
  ['a foreign Host', { host: 'evil.example' }, 403],
  ['a foreign Origin', { origin: 'https://evil.example' }, 403],
  ['the Origin of a sandboxed page', { origin: 'null' }, 403],
])('%s is refused', async (_what, headers, status) => {
  expect(await begin(headers)).toMatchObject({ status })
})

test('its own Origin is served', async () => {
  expect(await begin({ origin: url.origin })).toMatchObject({ status: 200 })
})

test('what is no path of it, no JSON, or too much is refused', async () => {
  expect(await ask({ path: '/mcp', body: JSON.stringify(hello()) })).toMatchObject({ status: 404 })
  expect(await ask({ path: `${url.pathname}/`, body: JSON.stringify(hello()) })).toMatchObject({ status: 404 })
  expect(await ask({ body: '{' })).toMatchObject({ status: 400, body: expect.stringContaining('no JSON') })
  expect(await ask({ body: JSON.stringify({ ...hello(), more: 'x'.repeat(1_100_000) }) })).toMatchObject({
    status: 413,
  })
})

test('what is nested too deep is refused before anything recurses into it', async () => {
  const nested = (levels: number) =>
    JSON.stringify(hello()).replace(/}}$/, `,"more":${'['.repeat(levels)}${']'.repeat(levels)}}}`)
  expect(await ask({ body: nested(62) })).toMatchObject({ status: 200 })
  const answer = { status: 400, body: expect.stringContaining('A body is nested at most 64 deep.') }
  for (const levels of [63, 400_000]) expect(await ask({ body: nested(levels) })).toMatchObject(answer)
})

/** How a path of `where` answers so many that begin a session there. */
async function statuses(where: Loopback, count: number): Promise<number[]> {
  const target = where.open(serve)
  const begun = Array.from({ length: count }, async () => {
    const response = await fetch(target, { method: 'POST', headers: MCP, body: JSON.stringify(hello()) })
    await response.text()
    return response.status
  })
  return (await Promise.all(begun)).toSorted((a, b) => a - b)
}

test('sessions are bounded, those that begin at once too, and no path takes them from another', async () => {
  const many = await openLoopback()
  const bounded = [...Array.from({ length: 16 }, () => 200), 429]
  expect([await statuses(many, 17), await statuses(many, 17)]).toEqual([bounded, bounded])
  await many.close()
})

test('what began no session takes no place, and nothing of it stays', async () => {
  const many = await openLoopback()
  const left = new Set<Server>()
  const target = many.open(() => {
    const server = serve()
    left.add(server)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
    server.onclose = () => void left.delete(server)
    return server
  })
  const beginBy = async (headers: Record<string, string>) => {
    const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(hello()) })
    await response.text()
    return response.status
  }
  for (let session = 0; session < 20; session += 1) expect(await beginBy({ ...MCP, accept: 'text/html' })).toBe(406)
  expect([await beginBy(MCP), left.size]).toEqual([200, 1])
  await many.close()
  expect(left.size).toBe(0)
})

test('a second request under an id that is not answered yet is refused, and the id is free again afterwards', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let begun = (): void => {}
  const inside = new Promise<void>((resolve) => (begun = resolve))
  const slow = (): Server => {
    const server = new Server({ name: 'slow', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      begun()
      await held
      return { tools: [] }
    })
    return server
  }
  const path = new URL(loopback.open(slow)).pathname
  const { session = '' } = await ask({ path, body: JSON.stringify(hello()) })
  const list = (id: number) =>
    ask({
      path,
      headers: { 'mcp-session-id': session },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
    })
  const first = list(7)
  await inside
  expect(await list(7)).toMatchObject({ status: 400, body: expect.stringContaining('The id 7 is in use') })
  release()
  expect(await first).toMatchObject({ status: 200 })
  expect([await list(8), await list(7)]).toMatchObject([{ status: 200 }, { status: 200 }])
})
