import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'

/** MCP servers on the loopback interface, by paths that cannot be guessed. */
export interface Loopback {
  /** Opens a path; each session on it gets a server from `serve`. Returns its URL. */
  open(serve: () => Server): string
  close(): Promise<void>
}

const MAX_BODY_BYTES = 1_048_576
const MAX_SESSIONS = 16
const MAX_CONNECTIONS = 64
/** For a request to come in; how long its answer takes is the world's affair. */
const REQUEST_MS = 30_000

class Rejected extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Streamable HTTP with JSON replies. Only this machine reaches it, no web page does, and what it takes in is bounded. */
export async function openLoopback(): Promise<Loopback> {
  const paths = new Map<string, () => Server>()
  const sessions = new Map<string, { path: string; transport: StreamableHTTPServerTransport }>()
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    void answer(request, response)
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port.')
  const hosts = [`127.0.0.1:${address.port}`, `localhost:${address.port}`]

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = check(request, hosts, paths)
      const body = request.method === 'POST' ? await jsonBody(request) : undefined
      const transport = await transportFor(request, path, body)
      await transport.handleRequest(request, response, body)
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      const { status, message } = error instanceof Rejected ? error : new Rejected(500, 'The server failed.')
      const told = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
      // What is left of a body that was not read would be taken for the next request.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(told))
    }
  }

  async function transportFor(
    request: IncomingMessage,
    path: string,
    body: unknown,
  ): Promise<StreamableHTTPServerTransport> {
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.get(id)
      if (session?.path === path) return session.transport
      throw new Rejected(404, 'No such session. Begin one with "initialize".')
    }
    if (!isInitializeRequest(body)) throw new Rejected(400, 'A session begins with "initialize".')
    if (sessions.size >= MAX_SESSIONS) throw new Rejected(429, `More than ${MAX_SESSIONS} sessions. End one by DELETE.`)
    const created = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (made) => void sessions.set(made, { path, transport: created }),
      onsessionclosed: (made) => void sessions.delete(made),
    })
    await paths.get(path)?.().connect(created)
    return created
  }

  return {
    open(serve) {
      const path = `/mcp/${randomUUID()}`
      paths.set(path, serve)
      return `http://${hosts[0]}${path}`
    },
    async close() {
      for (const { transport } of sessions.values()) await transport.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** The path that is asked for. A web page that talks to this machine betrays itself by `Host` or `Origin`. */
function check(request: IncomingMessage, hosts: readonly string[], paths: ReadonlyMap<string, unknown>): string {
  const { host = '', origin } = request.headers
  if (!hosts.includes(host)) throw new Rejected(403, 'This Host is not served.')
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`))
    throw new Rejected(403, 'This Origin is not served.')
  const path = request.url ?? ''
  if (!paths.has(path)) throw new Rejected(404, 'Nothing is served at this path.')
  return path
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part: Buffer = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) throw new Rejected(413, `A body has at most ${MAX_BODY_BYTES} bytes.`)
    chunks.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new Rejected(400, 'The body is no JSON.')
  }
}
