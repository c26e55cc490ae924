import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../kit/index.js'
import { UserError } from '../contract/index.js'

const MAX_DEPTH = 64
const MAX_CONNECTIONS = 64
/** For a request to come in; how long its answer takes is the affair of who answers. */
const REQUEST_MS = 30_000

/** What is answered to a request that is not taken. */
export class Rejected extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** An HTTP server that only this machine reaches, and no web page. Port 0: a free one. Throws `UserError` where it is taken. */
export async function openLocalServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port = 0,
) {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    void answer(request, response)
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new UserError(`Port ${port} of 127.0.0.1 cannot be served: ${error.message}.`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port.')
  const hosts = [`127.0.0.1:${address.port}`, `localhost:${address.port}`]
  return {
    url: `http://${hosts[0]}`,
    /** A request of a web page is known by its `Host` or `Origin`. Throws `Rejected`. */
    check({ headers: { host = '', origin } }: IncomingMessage): void {
      if (!hosts.includes(host)) throw new Rejected(403, 'This Host is not served.')
      if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`))
        throw new Rejected(403, 'This Origin is not served.')
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The body of a request. Throws `Rejected` for one that is too long, too deep, or no JSON. */
export async function jsonBody(request: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part: Buffer = Buffer.from(chunk)
    bytes += part.length
    if (bytes > maxBytes) throw new Rejected(413, `A body has at most ${maxBytes} bytes.`)
    chunks.push(part)
  }
  const body = parseJson(Buffer.concat(chunks).toString('utf8'))
  if (body === undefined) throw new Rejected(400, 'The body is no JSON.')
  if (isDeeper(body, MAX_DEPTH)) throw new Rejected(400, `A body is nested at most ${MAX_DEPTH} deep.`)
  return body
}

/** Level by level: what is nested without end must not overflow the stack, here or further in. */
function isDeeper(value: unknown, depth: number): boolean {
  let level = [value].filter(isNest)
  for (let left = depth; left > 0 && level.length > 0; left -= 1)
    level = level.flatMap((nest): unknown[] => Object.values(nest)).filter(isNest)
  return level.length > 0
}

export const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null
