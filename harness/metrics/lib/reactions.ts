import type { RecordOf, Trace, TraceRecord } from '../../define/index.js'
import { readings } from '../../trace/knowledge.js'
import { acknowledgements, beforeEnd, firstOf, recordsOf, roleFinder, toolOf } from '../../trace/select.js'

/** The stations between a signal and what an agent did about it (times in ms); null where it never got so far. */
export interface Reaction {
  emitted: number
  delivered: number | null
  call: number | null
  decision: number | null
  operation: number | null
}

/**
 * One per signal and agent that it concerns: signals of nobody's or of the agent's own operations, and those of
 * others that were delivered to it. What an operation emits at its own instant is no news to who called it.
 */
export function reactionsOf(trace: Trace): Reaction[] {
  const story = beforeEnd(trace)
  const roleOf = roleFinder(trace)
  const operations = new Map(recordsOf(story, 'operation').map((record) => [record.op, record]))
  const effective = effectiveRecords(story)
  const roles = firstOf(trace, 'trial')?.roles ?? []
  return recordsOf(story, 'signal').flatMap((signal) =>
    roles.flatMap(({ name: role }) => {
      const cause = signal.op === null ? undefined : operations.get(signal.op)
      const own = cause !== undefined && roleOf(cause) === role
      if (own && cause.at === signal.at) return []
      const reaction = follow(
        story.filter((record) => record.n > signal.n && roleOf(record) === role),
        signal,
        effective,
      )
      return own || cause === undefined || reaction.delivered !== null ? [reaction] : []
    }),
  )
}

/** Accepted operations and claims: what changes the course of a trial. */
function effectiveRecords(story: Trace): ReadonlySet<TraceRecord> {
  const acks = acknowledgements(story)
  return new Set(
    story.filter(
      (record) =>
        record.kind === 'claim' || (record.kind === 'operation' && acks.get(record.op)?.outcome === 'accepted'),
    ),
  )
}

function follow(later: Trace, signal: RecordOf<'signal'>, effective: ReadonlySet<TraceRecord>): Reaction {
  const reaction: Reaction = { emitted: signal.at, delivered: null, call: null, decision: null, operation: null }
  const known = later.find((record) => tells(record, signal))
  // Its own doorbell may be lost, and a later one come after it was known: whichever was first.
  const delivered = later.find(
    (record) => record === known || (record.kind === 'delivered' && record.seq >= signal.seq),
  )
  if (delivered === undefined) return reaction
  reaction.delivered = delivered.at
  if (known === undefined) return reaction
  const call = later.find((record) => record.kind === 'request' && record.n > known.n)
  const thinks = later.some(({ kind }) => kind === 'request')
  const from = call ?? (thinks ? null : known)
  const operation = from === null ? undefined : later.find((record) => record.n > from.n && effective.has(record))
  reaction.call = call?.at ?? null
  if (operation === undefined) return reaction
  const decision = later.findLast((record) => record.kind === 'answer' && record.n < operation.n)
  reaction.decision = call === undefined ? null : (decision?.at ?? null)
  reaction.operation = operation.at
  return reaction
}

/** The signal itself was taken in, or the state of its tool was read after it. */
function tells(record: TraceRecord, signal: RecordOf<'signal'>): boolean {
  if (record.kind === 'consumed') return record.seqs.includes(signal.seq)
  if (record.kind !== 'poll' && record.kind !== 'sync') return false
  return readings(record).some(([key]) => toolOf(key) === signal.tool)
}
