import type { Json, Trace, TraceRecord } from '../define/index.js'
import { firstDifference } from '../model/difference.js'
import { clean, fold, seconds } from '../trace/text.js'

/** The first record in which a trial, played again, is not the recorded one. */
export interface Divergence {
  n: number
  /** Virtual ms, as recorded, or as played where the record has ended. */
  at: number
  kind: string
  /** `message`, `usage.promptTokens`, `messages[2]`; `kind` where another thing happened. */
  field: string
  recorded: string
  now: string
  sentence: string
}

/** Compares record by record. Where the code of an error stood is no part of what happened. */
export function firstDivergence(recorded: Trace, now: Trace): Divergence | null {
  for (let n = 0; n < Math.max(recorded.length, now.length); n++) {
    if (JSON.stringify(recorded[n]) === JSON.stringify(now[n])) continue
    const [was, is] = [plain(recorded[n]), plain(now[n])]
    const place = placeOf(was, is, { recorded: textsOf(recorded), now: textsOf(now) })
    if (place !== null) return divergence(n, recorded[n] ?? now[n], place)
  }
  return null
}

interface Place {
  field: string
  was: Json | undefined
  is: Json | undefined
}

function divergence(n: number, record: TraceRecord | undefined, { field, was, is }: Place): Divergence {
  const kind = record?.kind ?? 'nothing'
  const at = record?.at ?? 0
  const both = typeof was === 'string' && typeof is === 'string' ? firstDifference(was, is) : null
  const lines = [was, is].some((text) => typeof text === 'string' && text.includes('\n'))
  const line = both !== null && lines ? `, line ${both.line}` : ''
  const what = field === 'kind' ? instead(was, is) : `\`${clean(field)}\`${line} differs`
  return {
    n,
    at,
    kind,
    field,
    recorded: both === null ? valueText(was) : lineText(both.recorded),
    now: both === null ? valueText(is) : lineText(both.now),
    sentence: `Record ${n} (${clean(kind)}, ${seconds(at)}) is not reproduced: ${what}.`,
  }
}

type Plain = { [key: string]: Json } & { kind: string }

function instead(was: Json | undefined, is: Json | undefined): string {
  if (was === undefined) return 'the record ends before it'
  return is === undefined ? 'the trial ends before it' : 'another thing happens'
}

/** As JSON would bring it back from a file, without what is no part of identity. */
function plain(record: TraceRecord | undefined): Plain | undefined {
  if (record === undefined) return undefined
  return JSON.parse(JSON.stringify(record.kind === 'error' ? { ...record, stack: null } : record))
}

type Pooled = Record<'recorded' | 'now', ReadonlyMap<string, string>>

function placeOf(was: Plain | undefined, is: Plain | undefined, pooled: Pooled): Place | null {
  if (was === undefined || is === undefined || was.kind !== is.kind) {
    return { field: 'kind', was: happened(was), is: happened(is) }
  }
  // The hash of a text says less than the text.
  const place =
    was.kind === 'text' ? (differing(was['text'], is['text'], 'text') ?? differing(was, is)) : differing(was, is)
  if (place === null || was.kind !== 'request') return place
  return {
    field: place.field.replace(/\.hash$/, ''),
    was: unpooled(place.was, pooled.recorded),
    is: unpooled(place.is, pooled.now),
  }
}

const unpooled = (value: Json | undefined, texts: ReadonlyMap<string, string>): Json | undefined =>
  typeof value === 'string' ? (texts.get(value) ?? value) : value

/** Depth first, in the order of the recorded keys; null where only the order of keys differs. */
function differing(was: Json | undefined, is: Json | undefined, field = ''): Place | null {
  if (!isContainer(was) || !isContainer(is) || Array.isArray(was) !== Array.isArray(is)) {
    return was === is ? null : { field, was, is }
  }
  const [left, right] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const path = Array.isArray(was) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`
    const place = differing(left.get(key), right.get(key), path)
    if (place !== null) return place
  }
  return null
}

const isContainer = (value: Json | undefined): value is Json & object => typeof value === 'object' && value !== null

function happened(record: Plain | undefined): string | undefined {
  if (record === undefined) return undefined
  const { n: _n, at: _at, role: _role, activity: _activity, kind, ...rest } = record
  return `${kind} ${JSON.stringify(rest)}`
}

function textsOf(trace: Trace): ReadonlyMap<string, string> {
  return new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
}

const lineText = (text: string | null): string =>
  text === null ? '(no such line)' : text === '' ? '(an empty line)' : fold(text, 200)

/** A value in one line, with nothing in it that could steer a terminal. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '(nothing)'
  return typeof value === 'string' ? lineText(value) : fold(JSON.stringify(value), 200)
}
