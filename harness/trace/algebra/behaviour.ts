import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Behaviour, Json, Trace } from '../../contract/index.js'
import { fold } from '../text.js'
import { artifactsOf, wellFormed } from './artifacts.js'
import { CATALOGUE, DOCUMENT, POLL, SLEEP } from './calls.js'
import { interactionsOf } from './interaction.js'
import type { Interaction } from './interaction.js'

/** One symbol of a path: a call by the name of its function, the beginning of a further cycle, or of an activity. */
type Symbol = { kind: 'call'; name: string } | { kind: 'cycle' } | { kind: 'activity'; role: string }

/**
 * σ with names, small enough for a result line: calls in their order, ` | ` between cycles, `*3` for a call that is
 * made three times in a row. Activities without a call are left out; where it is not plain whose calls they are,
 * `@role` stands before those of each activity.
 */
function pathOf(interactions: readonly Interaction[]): string {
  const acting = interactions.filter(({ cycles }) => cycles.some(({ calls }) => calls.length > 0))
  const several = acting.length > 1 || new Set(interactions.map(({ role }) => role)).size > 1
  return writePath(
    acting.flatMap(({ role, tools, cycles }) => [
      ...(several ? [{ kind: 'activity' as const, role }] : []),
      ...cycles.flatMap(({ calls }, i): Symbol[] => [
        ...(i > 0 ? [{ kind: 'cycle' as const }] : []),
        ...calls.map(({ tool }) => ({ kind: 'call' as const, name: tools[tool - 1] ?? '' })),
      ]),
    ]),
  )
}

function writePath(symbols: readonly Symbol[]): string {
  const runs: { token: string; times: number }[] = []
  for (const symbol of symbols) {
    const token = tokenOf(symbol)
    const last = runs.at(-1)
    if (symbol.kind === 'call' && last?.token === token) last.times++
    else runs.push({ token, times: 1 })
  }
  return runs.map(({ token, times }) => (times === 1 ? token : `${token}*${times}`)).join(' ')
}

function tokenOf(symbol: Symbol): string {
  if (symbol.kind === 'cycle') return '|'
  return symbol.kind === 'call' ? encode(symbol.name) : `@${encode(symbol.role)}`
}

export function readPath(path: string): Symbol[] {
  if (path === '') return []
  return path.split(' ').flatMap((token): Symbol[] => {
    if (token === '|') return [{ kind: 'cycle' }]
    if (token.startsWith('@')) return [{ kind: 'activity', role: decode(token.slice(1)) }]
    const [name = '', times = '1'] = token.split('*')
    return Array.from({ length: Number(times) }, () => ({ kind: 'call', name: decode(name) }))
  })
}

/** Models call tools by any name that they like: it must not read as a path. */
function encode(name: string): string {
  if (name === '') return '%;'
  return name.replaceAll(/[^A-Za-z0-9_.-]/gu, (sign) => `%${sign.codePointAt(0)?.toString(16) ?? ''};`)
}

function decode(token: string): string {
  return token.replaceAll(/%([0-9a-f]*);/g, (_, code: string) =>
    code === '' ? '' : String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

const queries = new Map([
  [CATALOGUE, 'reads the catalogue'],
  [DOCUMENT, 'reads a document'],
  [POLL, 'reads properties'],
  [SLEEP, 'sleeps'],
])

/** What a symbol does, in words; null is the end of a path. */
function inWords(symbol: Symbol | null): string {
  if (symbol === null) return 'ends'
  if (symbol.kind === 'cycle') return 'takes in new input'
  if (symbol.kind === 'activity') return `is done, and ${fold(symbol.role, 40)} begins`
  const known = queries.get(symbol.name)
  return known ?? `calls \`${fold(symbol.name, 80)}\``
}

/** What the agents of a trial did; null where no activity is in the trace. */
export function behaviourOf(trace: Trace): Behaviour | null {
  const interactions = interactionsOf(trace)
  if (interactions.length === 0) return null
  return {
    structural: joined(interactions.map(structuralHash)),
    full: joined(interactions.map(fullHash)),
    path: pathOf(interactions),
  }
}

/** Of (T, σ): which functions were called in which order and cycle, and nothing of what was said. */
export function structuralHash({ tools, cycles }: Interaction): string {
  return hash({ tools, sigma: artifactsOf(cycles).sigma })
}

/** Of all four artifacts, and of T, since σ holds indices alone: it refines the structural hash. */
export function fullHash({ tools, cycles }: Interaction): string {
  return hash({ tools, ...artifactsOf(cycles) })
}

function joined(hashes: readonly string[]): string {
  const [only] = hashes
  return hashes.length === 1 && only !== undefined ? only : hash(hashes)
}

/** SHA-256 of canonical JSON (RFC 8785). */
function hash(value: Json): string {
  return createHash('sha256')
    .update(canonicalize(wellFormed(value)) ?? '')
    .digest('hex')
}

/** Where two behaviours part. */
interface Divergence {
  /** The number of the call, counted from 1 within its activity, that one of them makes and the other does not. */
  step: number
  /** Whose step it is, where a trial has several activities. */
  role: string | null
  /** What each does there, e.g. ``calls `hydraulic_control.open_valve` ``. */
  one: string
  other: string
}

/** The first step in which the paths of two trials differ; null for equal paths. */
export function firstDivergence(one: string, other: string): Divergence | null {
  const [a, b] = [readPath(one), readPath(other)]
  const at = commonLength(a, b)
  if (at === a.length && at === b.length) return null
  const before = a.slice(0, at)
  const begins = before.findLastIndex(({ kind }) => kind === 'activity')
  const owner = before[begins]
  return {
    step: before.slice(begins + 1).filter(({ kind }) => kind === 'call').length + 1,
    role: owner?.kind === 'activity' ? owner.role : null,
    one: inWords(a[at] ?? null),
    other: inWords(b[at] ?? null),
  }
}

/** “step 6: calls `hydraulic_control.open_valve` where the other reads properties”. */
export function divergenceInWords({ step, role, one, other }: Divergence, others = 'the other'): string {
  return `step ${step}${role === null ? '' : ` of ${fold(role, 40)}`}: ${one} where ${others} ${other}`
}

/**
 * The edit distance (Levenshtein) of two paths: how many symbols must be inserted, deleted or replaced to turn one into
 * the other. A symbol is a call, the boundary between two cycles, or the beginning of an activity.
 */
export function distance(one: string, other: string): number {
  const [a, b] = [readPath(one).map(key), readPath(other).map(key)]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, symbol] of a.entries()) {
    const next = [i + 1]
    for (const [j, against] of b.entries()) {
      const replaced = (row[j] ?? 0) + (symbol === against ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function commonLength(a: readonly Symbol[], b: readonly Symbol[]): number {
  const differing = a.findIndex((symbol, index) => {
    const against = b[index]
    return against === undefined || key(symbol) !== key(against)
  })
  return differing < 0 ? a.length : differing
}

function key(symbol: Symbol): string {
  return JSON.stringify(symbol)
}
