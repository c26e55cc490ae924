import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

/**
 * What the server does with one request. `reset` drops the connection, `cut` ends the body half way, `hang` never
 * answers, `stall` sends the headers and half of the body, and no more.
 */
export type ChatStep =
  | { fault: 'reset' | 'cut' | 'hang' | 'stall' }
  | { status: number; body: string; headers?: Record<string, string> }

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** A loopback server that speaks Chat Completions and fails on demand. */
export interface ChatServer {
  /** For `OPENAI_BASE_URL`. */
  url: string
  received: readonly ReceivedRequest[]
  /** Steps of the script that no request has met. */
  left(): number
  close(): Promise<void>
}

type Body = ReceivedRequest['body']

const refuse = (): ChatStep => ({ status: 400, body: '{"error":{"code":"script_exhausted"}}' })

/** Plays one step per request, in order; `otherwise` answers when the script is over: by default it refuses for good. */
export async function startChatServer(
  script: readonly ChatStep[],
  otherwise: (body: Body) => ChatStep | Promise<ChatStep> = refuse,
): Promise<ChatServer> {
  const steps = [...script]
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    // Who asks what there is gets no list; it is no part of the script.
    if (request.method === 'GET') response.writeHead(404).end()
    else void serve(request, response)
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    received.push({ path: request.url ?? '', headers: request.headers, body })
    play(steps.shift() ?? (await otherwise(body)), response)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    received,
    left: () => steps.length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The step that answers with this body. */
export const answers = (body: unknown): ChatStep => ({ status: 200, body: JSON.stringify(body) })

/** A whole completion; what is given replaces parts of its only choice, its message, or its usage (null: none). */
export function completion(parts: {
  message?: Record<string, unknown>
  finish?: string
  usage?: Record<string, unknown> | null
}): Record<string, unknown> {
  const usage = parts.usage === undefined ? { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } : parts.usage
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello.', refusal: null, ...parts.message },
        finish_reason: parts.finish ?? 'stop',
      },
    ],
    ...(usage === null ? {} : { usage }),
  }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const body: Record<string, unknown> = JSON.parse(text)
  return body
}

function play(step: ChatStep, response: ServerResponse): void {
  if ('status' in step) {
    response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers }).end(step.body)
    return
  }
  const half = JSON.stringify(completion({})).slice(0, 60)
  switch (step.fault) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write(half, () => response.socket?.destroy())
      return
    case 'stall':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write(half)
      return
    case 'hang':
      return
  }
}
