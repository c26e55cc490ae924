import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { APIConnectionError, OpenAI } from 'openai'
import { InfrastructureError } from '../define/index.js'
import { backOffMs, faultOf, foreignBody } from './faults.js'
import type { Fault } from './faults.js'

/** A model behind an endpoint, and how patiently it is asked. */
export interface EndpointOptions {
  name: string
  /** Sent as the bearer, and nowhere else. */
  key: string
  baseUrl: string
  /** Tries per request (5). */
  tries?: number
  /** Per try, from the request to the last byte of its answer (120 s). */
  timeoutMs?: number
  organization?: string
  project?: string
  /** Real time, between tries. */
  sleep?: (delayMs: number) => Promise<unknown>
  /** In [0, 1). */
  jitter?: () => number
}

/** One request: how it is made, and how its answer is read; null where that is none, whatever the status said. */
export interface Exchange<T> {
  request: (signal: AbortSignal) => PromiseLike<unknown>
  read: (body: unknown) => T | null
  /** What the answer should have been: `completion`. */
  what: string
}

/** What came of an exchange, after how many tries in vain, and how long the last one took. */
export interface Exchanged<T> {
  value: T
  retries: number
  realMs: number
}

/** Retries what is the infrastructure's fault (DESIGN §7). */
export async function exchange<T>(
  options: EndpointOptions,
  { request, read, what }: Exchange<T>,
): Promise<Exchanged<T>> {
  const { name, tries = 5, timeoutMs = 120_000, sleep = delay, jitter = spread } = options

  async function attempt(): Promise<{ value: T } | Fault> {
    // One per try: the client leaks a listener per call on a signal that lives longer.
    const abort = new AbortController()
    // The client's own limit ends with the headers; a body may hang as well.
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    let body: unknown
    try {
      body = await request(abort.signal)
    } catch (error) {
      return faultOf(error, { timeoutMs, timedOut: abort.signal.aborted })
    } finally {
      clearTimeout(timer)
    }
    const value = read(body)
    return value === null ? foreignBody(what) : { value }
  }

  for (let tried = 1; ; tried += 1) {
    const started = performance.now()
    const result = await attempt()
    if ('value' in result) return { value: result.value, retries: tried - 1, realMs: performance.now() - started }
    if (!result.retry || tried >= tries) throw failure(name, result, tried)
    await sleep(backOffMs(tried, result, jitter()))
  }
}

/** An exchange with a `fetch` of this process. Nothing on its way can fail but by a bug, and a bug is shown, not retried. */
export async function exchangeInProcess<T>(name: string, { request, read, what }: Exchange<T>): Promise<Exchanged<T>> {
  const started = performance.now()
  const value = read(await request(new AbortController().signal).then(undefined, rethrow))
  if (value === null) throw new Error(`The endpoint of "${name}" gave no ${what}.`)
  return { value, retries: 0, realMs: performance.now() - started }
}

function rethrow(error: unknown): never {
  throw error instanceof APIConnectionError && error.cause instanceof Error ? error.cause : error
}

/** A client on a `fetch` of this process. */
export const inProcessClient = (answer: typeof fetch): OpenAI =>
  createClient({ key: 'none', baseUrl: 'http://simulated.invalid/v1', fetch: answer })

export function createClient(
  options: Pick<EndpointOptions, 'key' | 'baseUrl' | 'timeoutMs' | 'organization' | 'project'> & {
    fetch?: typeof fetch
  },
): OpenAI {
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

/** Of a model whose endpoint gave nothing usable. */
export const unaskable = (name: string): string => `The model "${name}" could not be asked: `

function failure(name: string, { reason, retry }: Fault, tried: number): InfrastructureError {
  const sentence = `${unaskable(name)}${reason}`
  return new InfrastructureError(
    retry ? `${sentence}; given up after ${tried} ${tried === 1 ? 'try' : 'tries'}.` : `${sentence}.`,
  )
}

const spread = (): number => randomInt(1_000_000) / 1_000_000
