import { setTimeout as delay } from 'node:timers/promises'
import { APIConnectionError, APIConnectionTimeoutError, APIPromise, OpenAI } from 'openai'
import { InfrastructureError, RunStopped } from '../contract/index.js'
import { LONGEST_ASKED_MS, Refusal, classify, refusalIn } from './faults.js'
import type { Fault } from './faults.js'
import { createGate, spread } from './gate.js'
import type { Gate } from './gate.js'

const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 30_000
/** So many times more tries has a call that meets a rate limit: waiting mends it. */
const PATIENCE = 4

/**
 * Judges what the client threw. An error without a status is a fault of the connection: a reset, a body that was cut, or
 * one that is no JSON.
 */
function faultOf(
  error: unknown,
  { timeoutMs, timedOut, hide }: { timeoutMs: number; timedOut: boolean; hide: Hiding },
): Fault {
  if (timedOut || error instanceof APIConnectionTimeoutError) return passing(`no answer within ${timeoutMs / 1_000} s`)
  if (error instanceof APIConnectionError) {
    return error.cause instanceof Refusal
      ? classify(error.cause, hide)
      : { ...passing(`the connection failed${codeOf(error)}`), lost: !/NOTFOUND|REFUSED|AI_AGAIN/.test(codeOf(error)) }
  }
  if (error instanceof SyntaxError) return passing('the answer was no JSON')
  return passing(`the answer was cut off${codeOf(error)}`)
}

/** How long to wait before try `tries` + 1 (ms). `jitter` is in [0, 1): many trials must not come back at one instant. */
function backOffMs(tries: number, fault: Fault, jitter: number): number {
  if (fault.waitMs !== null) return Math.round(Math.min(fault.waitMs, LONGEST_ASKED_MS) * (1 + jitter / 10))
  return Math.round(Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + jitter / 2))
}

const passing = (reason: string): Fault => ({
  kind: 'broken',
  reason,
  waitMs: null,
  isKey: false,
  lost: true,
  said: '',
  param: null,
  finish: null,
  failed: null,
})

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
function hiding({ key, baseUrl, secrets: more = [] }: Pick<EndpointOptions, 'key' | 'baseUrl' | 'secrets'>): Hiding {
  const { username, password } = new URL(baseUrl)
  const secrets = [key, username, password, ...more].filter(({ length }) => length >= MIN_SECRET)
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
  organization?: string | undefined
  project?: string | undefined
  /** The variable that held the key, for who has to mend it. */
  keyEnv?: string | null
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** What else is to be hidden where the endpoint echoes it. */
  secrets?: readonly string[]
  /** Shared by all who ask this endpoint; absent: its own, which lets everything pass. */
  gate?: Gate
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
  /** What it may take of a limit of tokens. */
  tokens?: () => number
  /** The request was refused: true where the next one says it otherwise, a sentence where only the user can mend it. */
  adapt?: (fault: Fault) => boolean | string
  /** The answer where the endpoint refused one for a mistake of the model. */
  charged?: (fault: Fault) => T
  /** The error of a prompt that is too long. */
  overflow?: (sentence: string) => Error
  toll?: Toll | undefined
}

/** Who answers for tries that may have been paid for although nothing came of them. */
export interface Toll {
  /** One has ended so. */
  lost(): void
  /** Before each further try. Throws `RunStopped` where it may not be paid for. */
  again(): Promise<void>
}

/** What came of an exchange, after how many tries in vain, and how long the last one took. */
export interface Exchanged<T> {
  value: T
  /** Of the response, those that are kept; absent: none. */
  headers?: Record<string, string>
  retries: number
  realMs: number
}

type Answer<T> = Pick<Exchanged<T>, 'value' | 'headers'>

/** What tells of a call, and of nobody's account. */
const KEPT =
  /^(?:x-request-id|request-id|openai-processing-ms|openai-version|x-ratelimit-(?:limit|remaining|reset)-[a-z]+|server)$/

const keptHeaders = (headers: Headers, hide: Hiding): Record<string, string> =>
  Object.fromEntries([...headers].flatMap(([name, value]) => (KEPT.test(name) ? [[name, hide(value)]] : [])))

/** A client, and how it is asked: what is the infrastructure's fault is tried again (docs/design.md#models). */
export function connect(options: EndpointOptions) {
  const { name, baseUrl, tries = 5, timeoutMs = 120_000, sleep = delay, jitter = spread } = options
  const hide = hiding(options)
  const endpoint = new URL(baseUrl).host
  const gate = options.gate ?? createGate({ endpoint, concurrency: Infinity, sleep, jitter })
  const client = createClient({ ...options, timeoutMs, fetch: refusing })

  async function attempt<T>({ request, read, what }: Exchange<T>): Promise<Answer<T> | Fault> {
    // One per try: the client leaks a listener per call on a signal that lives longer.
    const abort = new AbortController()
    // The client's own limit ends with the headers; a body may hang as well.
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    let body: unknown
    let headers: Record<string, string> = {}
    try {
      const sent = request(abort.signal)
      if (sent instanceof APIPromise) headers = keptHeaders((await sent.withResponse()).response.headers, hide)
      body = hiddenIn(await sent, hide)
    } catch (error) {
      return faultOf(error, { timeoutMs, timedOut: abort.signal.aborted, hide })
    } finally {
      clearTimeout(timer)
    }
    const refusal = refusalIn(body)
    if (refusal !== null) return classify(refusal, hide)
    const value = read(body)
    // A status of 200, and yet no completion in it: a proxy's greeting, no choices.
    return value === null ? passing(`the answer was no ${what}`) : { value, headers }
  }

  async function ask<T>(asked: Exchange<T>): Promise<Exchanged<T>> {
    const passage = gate.open()
    for (let tried = 1; ; tried += 1) {
      // Before there is a place: who waits for money must not keep others from giving it back.
      if (tried > 1) await asked.toll?.again()
      await passage.enter(asked.tokens ?? (() => 0))
      let started = performance.now()
      let result = await attempt(asked)
      let adapted: boolean | string = false
      while (!('value' in result) && result.kind === 'request') {
        adapted = asked.adapt?.(result) ?? false
        if (adapted !== true) break
        started = performance.now()
        result = await attempt(asked)
      }
      const realMs = performance.now() - started
      passage.leave('value' in result ? 'fine' : TRIED[result.kind])
      if ('value' in result) return { ...result, retries: tried - 1, realMs }
      if (result.lost) asked.toll?.lost()
      const { kind, reason } = result
      if (kind === 'model' && asked.charged !== undefined)
        return { value: asked.charged(result), retries: tried - 1, realMs }
      if (kind === 'overflow' && asked.overflow !== undefined) throw asked.overflow(`${unaskable(name)}${reason}.`)
      if (kind !== 'rate' && kind !== 'broken') {
        const key = options.keyEnv && result.isKey ? ` Check ${options.keyEnv}.` : ''
        const way = typeof adapted === 'string' ? ` ${adapted}` : key
        throw new RunStopped(`${unaskable(name)}${reason}.${way}`)
      }
      if (tried < (kind === 'rate' ? PATIENCE * tries : tries)) {
        await passage.rest(backOffMs(tried, result, jitter()), reason, result.waitMs !== null)
        continue
      }
      const verdict = passage.failedThrough(reason)
      const givenUp = `${unaskable(name)}${reason}; given up after ${tried} ${tried === 1 ? 'try' : 'tries'}.`
      if (verdict === 'alone') throw new InfrastructureError(givenUp)
      if (verdict === 'gone') throw new RunStopped(givenUp)
    }
  }

  return { client, ask }
}

const TRIED = {
  rate: 'limited',
  broken: 'broken',
  account: 'refused',
  overflow: 'refused',
  model: 'refused',
  request: 'refused',
} as const

/** The client would read the body of an error only as far as it understands it, and follow wherever an endpoint sends it. */
const refusing: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (response.ok) return response
  throw new Refusal(response.status, response.headers, (await response.text()).slice(0, 65_536))
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

function createClient(
  options: Pick<EndpointOptions, 'key' | 'baseUrl' | 'timeoutMs' | 'organization' | 'project' | 'headers'> & {
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
    defaultHeaders: options.headers,
    timeout: options.timeoutMs,
    fetch: options.fetch,
  })
}

/** Of a model whose endpoint gave nothing usable. */
export const unaskable = (name: string): string => `The model "${name}" could not be asked: `
