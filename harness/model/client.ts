import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from 'openai'
import { InfrastructureError } from '../contract/index.js'

/** Why a try brought no well-formed completion, and whether another may. */
interface Fault {
  /** One line, without the key: never what a server says to a wrong one. */
  reason: string
  retry: boolean
  /** What the endpoint asked for; null where it did not. */
  waitMs: number | null
}

const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 30_000
/** Who asks for more is not waited for longer. */
const LONGEST_ASKED_MS = 120_000
const RETRIED = new Set([408, 409, 425, 429])

/**
 * Judges what the client threw. An error without a status is a fault of the connection: a reset, a body that was cut, or
 * one that is no JSON.
 */
function faultOf(
  error: unknown,
  { timeoutMs, timedOut, hide }: { timeoutMs: number; timedOut: boolean; hide: Hiding },
): Fault {
  if (timedOut || error instanceof APIConnectionTimeoutError) return passing(`no answer within ${timeoutMs / 1_000} s`)
  if (error instanceof APIConnectionError) return passing(`the connection failed${codeOf(error)}`)
  if (error instanceof SyntaxError) return passing('the answer was no JSON')
  if (error instanceof APIError && typeof error.status === 'number') return statusFault(error, error.status, hide)
  return passing(`the answer was cut off${codeOf(error)}`)
}

/** How long to wait before try `tries` + 1 (ms). `jitter` is in [0, 1): many trials must not come back at one instant. */
function backOffMs(tries: number, fault: Fault, jitter: number): number {
  if (fault.waitMs !== null) return Math.round(Math.min(fault.waitMs, LONGEST_ASKED_MS) * (1 + jitter / 10))
  return Math.round(Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + jitter / 2))
}

const passing = (reason: string): Fault => ({ reason, retry: true, waitMs: null })

function statusFault(error: APIError, status: number, hide: Hiding): Fault {
  const lasting = (reason: string): Fault => ({ reason: `${reason} (HTTP ${status})`, retry: false, waitMs: null })
  if (status === 401) return lasting('the key was not accepted; check OPENAI_API_KEY and OPENAI_BASE_URL')
  if (status === 403) return lasting('the key may not use this model or endpoint')
  if (status === 404) return lasting('no such model or endpoint; check --model and OPENAI_BASE_URL')
  if (error.code === 'insufficient_quota' || error.type === 'insufficient_quota') {
    return lasting('the account has no quota left')
  }
  if (RETRIED.has(status) || status >= 500) {
    const reason = status === 429 ? 'the rate limit was reached' : 'the server failed'
    return { reason: `${reason} (HTTP ${status})`, retry: true, waitMs: askedWaitMs(error.headers) }
  }
  return lasting(`the request was not accepted${typeof error.code === 'string' ? `: ${plain(hide(error.code))}` : ''}`)
}

function askedWaitMs(headers: Headers | undefined): number | null {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (exact >= 0) return exact
  const asked = headers?.get('retry-after') ?? ''
  if (/^\s*\d+(\.\d+)?\s*$/.test(asked)) return Number(asked) * 1_000
  const until = Date.parse(asked)
  return Number.isNaN(until) ? null : Math.max(0, until - Date.now())
}

/** The first code (`ECONNRESET`, …) on the way down the causes. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return ` (${plain(at.code)})`
  }
  return ''
}

/** Codes come from outside: nothing of them may steer a terminal. */
const plain = (code: string): string => code.replaceAll(/[^\w.-]/g, '').slice(0, 60)

type Hiding = (text: string) => string

/** A shorter one is a word that may stand anywhere, such as the `none` of a server that needs no key. */
const MIN_SECRET = 8

/** An endpoint may echo what it was sent: neither the agent nor the trace is to hold the secrets in it. */
function hiding({ key, baseUrl }: Pick<EndpointOptions, 'key' | 'baseUrl'>): Hiding {
  const { username, password } = new URL(baseUrl)
  const secrets = [key, username, password].filter(({ length }) => length >= MIN_SECRET)
  // A quote in a key is escaped in JSON, and again in the arguments of a call, which are JSON in JSON.
  const once = secrets.map(inJson)
  const twice = once.map(inJson)
  const forms = [...twice.map(inJson), ...twice, ...once, ...secrets]
  return (text) => [...new Set(forms)].reduce((clean, form) => clean.replaceAll(form, '(hidden)'), text)
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function hiddenIn(body: unknown, hide: Hiding): unknown {
  const text = JSON.stringify(body) ?? 'null'
  const clean = hide(text)
  return clean === text ? body : JSON.parse(clean)
}

/** A model behind an endpoint, and how patiently it is asked. */
export interface EndpointOptions {
  name: string
  /** Sent as the bearer, and nowhere else; hidden where the endpoint echoes it. */
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
  request: (signal?: AbortSignal) => PromiseLike<unknown>
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

/** Retries what is the infrastructure's fault (docs/design.md#models). */
export async function exchange<T>(
  options: EndpointOptions,
  { request, read, what }: Exchange<T>,
): Promise<Exchanged<T>> {
  const { name, tries = 5, timeoutMs = 120_000, sleep = delay, jitter = spread } = options
  const hide = hiding(options)

  async function attempt(): Promise<{ value: T } | Fault> {
    // One per try: the client leaks a listener per call on a signal that lives longer.
    const abort = new AbortController()
    // The client's own limit ends with the headers; a body may hang as well.
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    let body: unknown
    try {
      body = hiddenIn(await request(abort.signal), hide)
    } catch (error) {
      return faultOf(error, { timeoutMs, timedOut: abort.signal.aborted, hide })
    } finally {
      clearTimeout(timer)
    }
    const value = read(body)
    // A status of 200, and yet no completion in it: an error page, a proxy's greeting, no choices.
    return value === null ? passing(`the answer was no ${what}`) : { value }
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
  const value = read(await request().then(undefined, rethrow))
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
