import canonicalize from 'canonicalize'
import type { Json } from '../define/index.js'
import type { Artifacts } from './artifacts.js'
import { wellFormed } from './well-formed.js'

/** A call whose result was another one when σ and θ were executed again; null: it was not made, or never recorded. */
export interface ResultDifference {
  /** Counted from 1: the call in q̂, its cycle, and its place in the cycle. */
  p: number
  i: number
  j: number
  tool: number
  q: Json
  recorded: { r: Json } | null
  again: { r: Json } | null
}

/** Where ρ = T_σ(θ) does not hold: `again` are the results of the calls in the order of q̂. Numbers compare by value, objects whatever the order of keys. */
export function compareResults({ sigma, q, r }: Artifacts, again: readonly Json[]): ResultDifference[] {
  const places = sigma.flatMap((row, i) => row.flatMap((tool, j) => (tool === 0 ? [] : [{ i: i + 1, j: j + 1, tool }])))
  const length = Math.max(r.length, again.length)
  return Array.from({ length }, (_, p) => {
    const { i, j, tool } = places[p] ?? { i: 0, j: 0, tool: 0 }
    return { p: p + 1, i, j, tool, q: q[p] ?? null, recorded: resultAt(r, p), again: resultAt(again, p) }
  }).filter(({ recorded, again: other }) => text(recorded) !== text(other))
}

function resultAt(results: readonly Json[], p: number): { r: Json } | null {
  const r = results[p]
  return r === undefined ? null : { r }
}

function text(result: { r: Json } | null): string {
  return canonicalize(wellFormed(result)) ?? ''
}
