import { defineMetric } from '../contract/index.js'
import type { RecordOf, Trace, TraceRecord } from '../contract/index.js'
import { mean } from '../stats/summary.js'
import { readings } from '../trace/knowledge.js'
import { acknowledgements, beforeEnd, firstOf, recordsOf, roleFinder, toolOf } from '../trace/records.js'
import { meanAndMax, operationsOf } from './calls.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'makespan_ms',
    ...measuredIn('ms', 'lower'),
    summary:
      'Virtual time until the last agent ended, of solved trials. Absent (censored) where the trial is not solved.',
    summedUp: 'median',
    shown: {
      heading: 'make-\nspan',
      place: 120,
      importance: 5,
      among: 'solved',
      charts: ['agents', 'curve'],
      confirmatory: true,
    },
    of: (trace) => (firstOf(trace, 'verdict')?.solved === true ? (firstOf(trace, 'end')?.at ?? null) : null),
  }),
  defineMetric({
    name: 'reaction_ms',
    version: '2',
    ...measuredIn('ms (reacted and censored: count)', 'lower'),
    summary:
      'From the emission of a signal to the first accepted operation or claim that was decided with knowledge of it: means over the signals of the trial that were reacted to. Parts: delivered (emission to doorbell or to the first look at that tool or the log, for who polls or where doorbells are lost), call (to the beginning of the first model call that could know), decision (to the end of the deciding call), operation (to the operation), total. `reacted` and `censored` count; a signal that was never reacted to is censored, not dropped. All signals count that nobody or the agent itself caused, and those of others that were delivered to it.',
    of(trace) {
      const reactions = reactionsOf(trace)
      const reacted = reactions.filter(({ operation }) => operation !== null)
      const parts = {
        delivered: averageOf(reacted, 'emitted', 'delivered'),
        call: averageOf(reacted, 'delivered', 'call'),
        decision: averageOf(reacted, 'call', 'decision'),
        operation: averageOf(reacted, 'decision', 'operation'),
        total: averageOf(reacted, 'emitted', 'operation'),
      }
      return {
        ...Object.fromEntries(Object.entries(parts).filter((entry): entry is [string, number] => entry[1] !== null)),
        reacted: reacted.length,
        censored: reactions.length - reacted.length,
      }
    },
  }),
  defineMetric({
    name: 'turn_latency_ms',
    ...measuredIn('ms', 'lower'),
    summary:
      'Where several roles share a world: from a change of a tool by an operation of one role to the next change of that tool by an operation of another, which is when that one has taken its turn. `mean` and `max`; what is personal to an activity does not count. Absent where no turn was handed over.',
    of(trace) {
      if ((firstOf(trace, 'trial')?.roles.length ?? 0) < 2) return meanAndMax([])
      const roles = new Map(operationsOf(trace).map(({ record, role }) => [record.op, role]))
      const last = new Map<string, { role: string; at: number }>()
      const turns: number[] = []
      for (const { tool, at, op, activity } of recordsOf(beforeEnd(trace), 'change')) {
        const role = op === null ? null : (roles.get(op) ?? null)
        if (role === null || activity !== null) continue
        const before = last.get(tool)
        if (before !== undefined && before.role !== role) turns.push(at - before.at)
        last.set(tool, { role, at })
      }
      return meanAndMax(turns)
    },
  }),
  defineMetric({
    name: 'longest_process_ms',
    ...measuredIn('ms', 'neither', 'docs/design.md#worlds'),
    summary:
      'The longest latent process: from an operation to the last signal that it, or a timer that it set, emitted later. Absent where no operation was followed by one.',
    of(trace) {
      const began = new Map(recordsOf(trace, 'operation').map(({ op, at }) => [op, at]))
      const lasted = recordsOf(beforeEnd(trace), 'signal').flatMap(({ op, at }) => {
        const from = op === null ? undefined : began.get(op)
        return from === undefined || at === from ? [] : [at - from]
      })
      return lasted.length === 0 ? null : Math.max(...lasted)
    },
  }),
]

/** The stations between a signal and what an agent did about it (times in ms); null where it never got so far. */
interface Reaction {
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
function reactionsOf(trace: Trace): Reaction[] {
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
  if (record.kind !== 'poll' && record.kind !== 'sync' && record.kind !== 'recheck') return false
  return readings(record).some(([key]) => toolOf(key) === signal.tool)
}

function averageOf(reactions: Reaction[], from: keyof Reaction, to: keyof Reaction): number | null {
  return mean(
    reactions.flatMap(({ [from]: start, [to]: end }) => (start === null || end === null ? [] : [end - start])),
  )
}
