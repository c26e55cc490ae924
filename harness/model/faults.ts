import { z } from 'zod'

/**
 * Why a try brought no completion. `rate`: ask later. `broken`: ask again. `account`: quota, key, name or address, which
 * no retry mends. `overflow`: the prompt is longer than the context. `model`: its own mistake, as Groq refuses a call
 * that does not fit. `request`: what we sent is refused.
 */
export type FaultKind = 'rate' | 'broken' | 'account' | 'overflow' | 'model' | 'request'

export interface Fault {
  kind: FaultKind
  /** One line: what it is, and what the server said, without secrets. */
  reason: string
  /** What the endpoint asked to wait; null where it did not. */
  waitMs: number | null
  /** Is it the key? */
  isKey: boolean
  /** May it have been paid for? An answer was perhaps on its way, and nobody tells. */
  lost: boolean
  /** Of a refusal: the whole of it in one text, and the field that it names. */
  said: string
  param: string | null
  /** Of the model's own mistake: how the answer ended, and what it had said. */
  finish: string | null
  failed: string | null
}

/** A status that is no success, with the beginning of its body. */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: string,
  ) {
    super('refused')
  }
}

const text = z.string().nullish().catch(null)
const errorSchema = z.object({
  message: text,
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  type: text,
  status: text,
  error_type: text,
  param: text,
  failed_generation: text,
})
type Told = Partial<z.output<typeof errorSchema>>

/** Servers put their error into `error`, at the top (SGLang), into `detail` (FastAPI), into an array (Gemini), or send a page. */
function toldIn(body: string): Told {
  let data: unknown
  try {
    data = JSON.parse(body)
  } catch {
    return { message: body.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') }
  }
  const [first] = Array.isArray(data) ? data : [data]
  if (typeof first !== 'object' || first === null) return typeof first === 'string' ? { message: first } : {}
  const { error, detail }: { error?: unknown; detail?: unknown } = first
  const inner = typeof error === 'string' ? { ...first, message: error } : (error ?? first)
  const told = errorSchema.safeParse(inner).data ?? {}
  if (!told.message && detail !== undefined) told.message = typeof detail === 'string' ? detail : JSON.stringify(detail)
  return told
}

const QUOTA =
  /insufficient_quota|credit_balance|billing_error|spend_limit|organization_usage_limit|per_?day|insufficient (?:quota|balance|credit)|credit balance is too low|key limit exceeded/i
const RATE = /rate[ _-]?limit|too many requests|slow_down|tokens per minute|requests per minute|\b[TR]PM\b/i
const OVERFLOW = [
  /context_length_exceeded|exceed_context_size|request_too_large/i,
  /maximum context length|context (?:window|size|length)[^.]*exceed|exceeds?[^.]*context (?:window|size|length)/i,
  /prompt is too long|prompt is longer than the context|longer than the model'?s context/i,
  /input token count[^.]*exceeds|maximum (?:allowed )?(?:input|prompt) length|requested token count exceeds/i,
  /reduce the length of the messages|tokens to keep from the initial prompt is greater/i,
  /must have less than \d+ tokens|`?max_new_tokens`? must be <=|too large for model with \d+|exceeded model token limit/i,
]
const OWN_FAULT =
  /tool_use_failed|content_filter|content_policy|content management policy|data_inspection_failed|moderation|flagged/i
const NAME = /model_not_found|model[^.]{0,80}(?:does not exist|not found|is not available)|no such model|unknown model/i
/** llama-server tells the wrong use of tools as a failure of its own. */
const WRONG_USE = /jinja|tools? param|not_supported_error|json_schema|grammar/i

/** Who asks for more than this is not waited for: the run stops, and can go on then. */
export const LONGEST_ASKED_MS = 900_000

/** Whoever says so stands before a server that may have answered all the same. */
const GATEWAY = new Set([408, 502, 504, 520, 522, 524])

/** Quota comes before rate, rate before overflow, overflow before a request that is wrong. `hide` takes secrets out of the body. */
export function classify({ status, headers, body }: Refusal, hide: (text: string) => string): Fault {
  const clean = hide(body)
  const told = toldIn(clean)
  const codes = [told.code, told.type, told.status, told.error_type].filter(Boolean).join(' ')
  const said = `${codes} ${told.message ?? ''} ${clean.slice(0, 4_000)}`
  const waitMs = askedWaitMs(headers, clean)
  const sentence = oneLine(told.message ?? '') || oneLine(codes.replaceAll(/\b\d+\b/g, ''))
  const fault = (kind: FaultKind, what: string): Fault => ({
    kind,
    reason: `${what} (HTTP ${status})${sentence === '' ? '' : `: ${sentence}`}`,
    waitMs,
    isKey: status === 401 || status === 403,
    lost: GATEWAY.has(status),
    said,
    param: told.param ?? null,
    finish: null,
    failed: null,
  })
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? ''
    const host = URL.canParse(to) ? new URL(to).host : 'another address'
    return fault('account', `the endpoint sends on to ${oneLine(hide(host))}, where no key is sent; set that address`)
  }
  if (OWN_FAULT.test(said) && [400, 403, 422].includes(status)) {
    const finish = /tool_use_failed/.test(said) ? 'tool_use_failed' : 'content_filter'
    return { ...fault('model', 'the answer was refused'), finish, failed: told.failed_generation ?? null }
  }
  if (status === 402 || (QUOTA.test(said) && [400, 403, 429].includes(status)))
    return fault('account', 'the account has no quota left')
  if (status === 401) return fault('account', 'the key was not accepted')
  if (status === 403) return fault('account', 'the key may not use this model or endpoint')
  if (/request too large for model/i.test(said) && RATE.test(said))
    return fault('account', 'one request is larger than the account’s limit per minute')
  if (status === 429 || status === 498 || (RATE.test(said) && [400, 413, 503].includes(status))) {
    if (waitMs !== null && waitMs > LONGEST_ASKED_MS)
      return fault('account', `the endpoint asks to wait for ${Math.ceil(waitMs / 60_000)} minutes`)
    return fault('rate', 'the rate limit was reached')
  }
  if ([400, 413, 422, 500].includes(status) && OVERFLOW.some((pattern) => pattern.test(said)))
    return fault('overflow', 'the prompt is longer than the context')
  if ([400, 404].includes(status) && NAME.test(said)) return fault('account', 'no such model')
  if (status === 404 && /support tool|tool use/i.test(said)) return fault('request', 'the request was not accepted')
  if (status === 404 || status === 410) return fault('account', 'no such model or endpoint')
  if (status === 501 || (status === 500 && WRONG_USE.test(said)))
    return fault('request', 'the request was not accepted')
  if (status >= 500 || [408, 409, 424, 425].includes(status)) return fault('broken', 'the server failed')
  return fault('request', 'the request was not accepted')
}

/** In a body of status 200: `{error: {code: 429, …}}`, as gateways send it. Null where it holds none. */
export function refusalIn(body: unknown, headers = new Headers()): Refusal | null {
  if (typeof body !== 'object' || body === null || !('error' in body) || !body.error) return null
  const { error } = body
  const code = typeof error === 'object' && 'code' in error ? Number(error.code) : Number.NaN
  return new Refusal(code >= 400 && code < 600 ? code : 502, headers, JSON.stringify(body))
}

/** Nothing from outside may steer a terminal, or fill it. */
function oneLine(given: string): string {
  const line = given.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const cut = line.length > 300 ? `${line.slice(0, 300)}…` : line
  return cut.replace(/\.$/, '')
}

/** From the headers, then from the body: `retry-after-ms`, `retry-after` as seconds, date or duration, `"retryDelay": "17s"`, “try again in 5.2s”. */
function askedWaitMs(headers: Headers, body: string): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (exact >= 0) return exact
  const asked = (headers.get('retry-after') ?? '').trim()
  if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1_000
  const until = /^\d/.test(asked) ? Number.NaN : Date.parse(asked)
  if (!Number.isNaN(until)) return Math.max(0, until - Date.now())
  const [, told = asked] =
    /(?:"retryDelay":\s*"|(?:try again|retry) (?:in|after) )((?:[\d.]+ ?(?:ms|h|m|s|seconds)?)+)/i.exec(body) ?? []
  return durationMs(told)
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, seconds: 1_000, ms: 1 }

/** `2m59.56s`, `17s`, `80ms`; null where it is none. */
function durationMs(given: string): number | null {
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?) ?(ms|seconds|h|m|s)/gi)]
  if (parts.length === 0) return null
  return parts.reduce((sum, [, amount = '', unit = '']) => sum + Number(amount) * (UNITS[unit.toLowerCase()] ?? 0), 0)
}
