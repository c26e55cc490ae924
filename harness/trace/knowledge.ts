import type { Scalar, Trace } from '../contract/index.js'
import { propertyKey, recordsOf } from './records.js'

/** A value of the world, and since when it holds. */
export interface Fact {
  value: Scalar
  since: number
}
/** A value as somebody last read it. */
export interface Observation {
  value: Scalar
  readAt: number
}

/** The world's properties (by `tool.property`) just before the record `n`; initial values follow from what came later. */
export function stateBefore(trace: Trace, n: number): Map<string, Fact> {
  const state = new Map<string, Fact>()
  for (const record of trace) {
    if (record.kind === 'change') {
      const key = propertyKey(record.tool, record.property)
      if (record.from !== null && !state.has(key)) state.set(key, { value: record.from, since: 0 })
      if (record.n < n) state.set(key, { value: record.to, since: record.at })
    } else if (record.kind === 'poll' || record.kind === 'recheck' || record.kind === 'sync') {
      for (const [key, value] of readings(record)) if (!state.has(key)) state.set(key, { value, since: 0 })
    }
  }
  return state
}

/** The last observation of each property by an agent before the record `n`. */
export function observedBefore(trace: Trace, n: number, role: string): Map<string, Observation> {
  const seen = new Map<string, Observation>()
  for (const record of trace) {
    if (record.n >= n) break
    if (record.role !== role || (record.kind !== 'poll' && record.kind !== 'recheck' && record.kind !== 'sync'))
      continue
    for (const [key, value] of readings(record)) seen.set(key, { value, readAt: record.at })
  }
  return seen
}

/** The first change of a property after the record `n`, optionally to one value. */
export function nextChange(trace: Trace, n: number, key: string, to?: Scalar) {
  return recordsOf(trace, 'change').find(
    (change) =>
      change.n > n &&
      propertyKey(change.tool, change.property) === key &&
      (to === undefined || String(change.to) === String(to)),
  )
}

export function readings(
  record:
    | { kind: 'poll' | 'recheck'; values: Record<string, Scalar> }
    | { kind: 'sync'; tool: string; values: Record<string, Scalar> },
): [string, Scalar][] {
  const entries = Object.entries(record.values)
  return record.kind !== 'sync' ? entries : entries.map(([name, value]) => [propertyKey(record.tool, name), value])
}
