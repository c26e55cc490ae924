import { fold } from '../trace/text.js'
import { inWords, readPath } from './path.js'
import type { Symbol } from './path.js'

/** Where two behaviours part. */
export interface Divergence {
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
