import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'

/** Why a try brought no well-formed completion, and whether another may. */
export interface Fault {
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
 * Judges what the client threw. Whatever is no answer with a status is a fault of the way: a reset, a body that was cut,
 * or one that is no JSON.
 */
export function faultOf(error: unknown, { timeoutMs, timedOut }: { timeoutMs: number; timedOut: boolean }): Fault {
  if (timedOut || error instanceof APIConnectionTimeoutError) return passing(`no answer within ${timeoutMs / 1_000} s`)
  if (error instanceof APIConnectionError) return passing(`the connection failed${codeOf(error)}`)
  if (error instanceof SyntaxError) return passing('the answer was no JSON')
  if (error instanceof APIError && typeof error.status === 'number') return statusFault(error, error.status)
  return passing(`the answer was cut off${codeOf(error)}`)
}

/** A status of 200, and yet no completion in it: an error page, a proxy's greeting, no choices. */
export const foreignBody = (what: string): Fault => passing(`the answer was no ${what}`)

/** How long to wait before try `tries` + 1 (ms). `jitter` is in [0, 1): many trials must not come back at one instant. */
export function backOffMs(tries: number, fault: Fault, jitter: number): number {
  if (fault.waitMs !== null) return Math.round(Math.min(fault.waitMs, LONGEST_ASKED_MS) * (1 + jitter / 10))
  return Math.round(Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + jitter / 2))
}

const passing = (reason: string): Fault => ({ reason, retry: true, waitMs: null })

function statusFault(error: APIError, status: number): Fault {
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
  return lasting(`the request was not accepted${typeof error.code === 'string' ? `: ${plain(error.code)}` : ''}`)
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
