import type { TraceRecord } from '../../define/index.js'

const EFFECTS: ReadonlySet<TraceRecord['kind']> = new Set([
  'operation',
  'focus',
  'unfocus',
  'mount',
  'unmount',
  'claim',
])

/**
 * What a model call can have led to. `repeated` says whether a document or catalogue was read before.
 * Polls, sleeps, suspensions, re-reads and calls that no tool understood lead to nothing.
 */
export function isEffect(record: TraceRecord, repeated: boolean): boolean {
  return record.kind === 'read' ? record.found && !repeated : EFFECTS.has(record.kind)
}
