import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { Rejected, isNest, jsonBody, openLocalServer } from './local-server.js'

const MAX_BODY_BYTES = 1_048_576
/** Of a path. */
const MAX_SESSIONS = 16
type Transport = StreamableHTTPServerTransport

/** What is served at a path, and to whom. */
interface HostedPath {
  serve: () => Server
  /** The sessions that are open or are being opened, each with the ids of its requests that are not answered yet. */
  sessions: Map<Transport, Set<unknown>>
}

/**
 * MCP servers on the loopback interface, by paths that cannot be guessed: Streamable HTTP with JSON replies. Only this
 * machine reaches it, no web page does, and what it takes in is bounded.
 */
export async function openLoopback() {
  const paths = new Map<string, HostedPath>()
  const server = await openLocalServer(answer)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      server.check(request)
      const path = paths.get(request.url ?? '')
      if (path === undefined) throw new Rejected(404, 'Nothing is served at this path.')
      const body = request.method === 'POST' ? await jsonBody(request, MAX_BODY_BYTES) : undefined
      const [transport, open] = await sessionFor(request, path, body)
      hold(open, idsIn(body), response)
      try {
        await transport.handleRequest(request, response, body)
      } finally {
        // Of a session that was never opened nothing stays.
        if (transport.sessionId === undefined) {
          path.sessions.delete(transport)
          await transport.close()
        }
      }
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      const { status, message } = error instanceof Rejected ? error : new Rejected(500, 'The server failed.')
      const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
      // What is left of a body that was not read would be taken for the next request.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))
    }
  }

  async function sessionFor(
    { headers }: IncomingMessage,
    { serve, sessions }: HostedPath,
    body: unknown,
  ): Promise<[Transport, Set<unknown>]> {
    const id = headers['mcp-session-id']
    if (typeof id === 'string') {
      const known = [...sessions].find(([{ sessionId }]) => sessionId === id)
      if (known !== undefined) return known
      throw new Rejected(404, 'No such session. Begin one with "initialize".')
    }
    if (!isInitializeRequest(body)) throw new Rejected(400, 'A session begins with "initialize".')
    if (sessions.size >= MAX_SESSIONS) throw new Rejected(429, `More than ${MAX_SESSIONS} sessions. End one by DELETE.`)
    const created = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessionclosed: () => void sessions.delete(created),
    })
    const open = new Set<unknown>()
    sessions.set(created, open)
    await serve().connect(created)
    return [created, open]
  }

  return {
    /** Opens a path; each session on it gets a server from `serve`. Returns its URL. */
    open(serve: () => Server): string {
      const path = `/mcp/${randomUUID()}`
      paths.set(path, { serve, sessions: new Map() })
      return `${server.url}${path}`
    },
    async close(): Promise<void> {
      for (const { sessions } of paths.values()) for (const transport of sessions.keys()) await transport.close()
      await server.close()
    },
  }
}

/** Two requests under one id could not be told apart, and one of them would never be answered. */
function hold(open: Set<unknown>, ids: readonly unknown[], response: ServerResponse): void {
  const taken = ids.find((id, index) => open.has(id) || ids.indexOf(id) !== index)
  if (taken !== undefined)
    throw new Rejected(400, `The id ${JSON.stringify(taken)} is in use: each request of a session has its own.`)
  for (const id of ids) open.add(id)
  const free = (): void => {
    for (const id of ids) open.delete(id)
  }
  response.once('finish', free).once('close', free)
}

/** The ids of the requests in a body, which is one message or a batch. */
function idsIn(body: unknown): unknown[] {
  return [body]
    .flat()
    .flatMap((message) => (isNest(message) && 'method' in message && 'id' in message ? message.id : []))
}
