import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { APIConnectionError, OpenAI } from 'openai'
import { InfrastructureError } from '../define/index.js'
import type { ChatModel, Completion } from './chat.js'
import { readCompletion } from './completion.js'
import type { Reply } from './completion.js'
import { backOffMs, faultOf, foreignBody } from './faults.js'
import type { Fault } from './faults.js'
import { wireRequest } from './wire.js'
import type { WireRequest } from './wire.js'

/** One model behind an endpoint that speaks Chat Completions. */
export interface EndpointOptions {
  name: string
  /** Sent as the bearer, and nowhere else. */
  key: string
  baseUrl: string
  /** Tries per request (5). */
  tries?: number
  /** Per try, from the request to the last byte of its answer (120 s). */
  timeoutMs?: number
  /** Reasoning models refuse one: none is sent by default. */
  temperature?: number
  organization?: string
  project?: string
  /** Real time, between tries. */
  sleep?: (delayMs: number) => Promise<unknown>
  /** In [0, 1). */
  jitter?: () => number
}

/** Asks over HTTP, and retries what is the infrastructure's fault (DESIGN §7). */
export function openEndpoint(options: EndpointOptions): ChatModel {
  const { name, tries = 5, timeoutMs = 120_000, temperature = null, sleep = delay, jitter = spread } = options
  const client = createClient(options)

  async function fetched(request: WireRequest): Promise<{ body: unknown } | Fault> {
    // One per try: the client leaks a listener per call on a signal that lives longer.
    const abort = new AbortController()
    // The client's own limit ends with the headers; a body may hang as well.
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    try {
      return { body: await client.chat.completions.create(request, { signal: abort.signal }) }
    } catch (error) {
      return faultOf(error, { timeoutMs, timedOut: abort.signal.aborted })
    } finally {
      clearTimeout(timer)
    }
  }

  async function attempt(request: WireRequest): Promise<Reply | Fault> {
    const result = await fetched(request)
    return 'retry' in result ? result : (readCompletion(result.body, request) ?? foreignBody())
  }

  return {
    name,
    async complete(asked): Promise<Completion> {
      const request = wireRequest(name, asked, temperature)
      for (let tried = 1; ; tried += 1) {
        const started = performance.now()
        const result = await attempt(request)
        if (!('retry' in result)) return { ...result, retries: tried - 1, realMs: performance.now() - started }
        if (!result.retry || tried >= tries) throw failure(name, result, tried)
        await sleep(backOffMs(tried, result, jitter()))
      }
    },
  }
}

/** The same client on a `fetch` of this process. Nothing on its way can fail but by a bug, and a bug is shown, not retried. */
export function openInProcess(options: { name: string; fetch: typeof fetch }): ChatModel {
  const { name } = options
  const client = createClient({ key: 'none', baseUrl: 'http://simulated.invalid/v1', fetch: options.fetch })
  return {
    name,
    async complete(asked) {
      const request = wireRequest(name, asked, null)
      const started = performance.now()
      const body: unknown = await client.chat.completions.create(request).catch((error: unknown) => {
        throw error instanceof APIConnectionError && error.cause instanceof Error ? error.cause : error
      })
      const reply = readCompletion(body, request)
      if (reply === null) throw new Error(`The endpoint of "${name}" gave no completion.`)
      return { ...reply, retries: 0, realMs: performance.now() - started }
    },
  }
}

function createClient(options: {
  key: string
  baseUrl: string
  timeoutMs?: number
  organization?: string
  project?: string
  fetch?: typeof fetch
}): OpenAI {
  return new OpenAI({
    apiKey: options.key,
    // Given in full, so that the client reads none of them from the environment by itself.
    adminAPIKey: null,
    organization: options.organization ?? null,
    project: options.project ?? null,
    baseURL: options.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    timeout: options.timeoutMs,
    fetch: options.fetch,
  })
}

function failure(name: string, { reason, retry }: Fault, tried: number): InfrastructureError {
  const sentence = `The model "${name}" could not be asked: ${reason}`
  return new InfrastructureError(
    retry ? `${sentence}; given up after ${tried} ${tried === 1 ? 'try' : 'tries'}.` : `${sentence}.`,
  )
}

const spread = (): number => randomInt(1_000_000) / 1_000_000
