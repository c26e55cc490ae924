import type { RecordOf, Trace, TraceRecord, Usage } from '../contract/index.js'
import { mean, sumOf } from '../stats/summary.js'
import { readings } from '../trace/knowledge.js'
import { acknowledgements, beforeEnd, endTime, recordsOf, roleFinder, styleFinder, toolOf } from '../trace/records.js'

interface OperationDone {
  record: RecordOf<'operation'>
  role: string | null
  outcome: RecordOf<'acknowledgement'>['outcome'] | null
}

/** Every operation that reached the world's rules, with its agent and its outcome. */
export function operationsOf(trace: Trace): OperationDone[] {
  const roleOf = roleFinder(trace)
  const acks = acknowledgements(trace)
  return recordsOf(trace, 'operation').map((record) => ({
    record,
    role: roleOf(record),
    outcome: acks.get(record.op)?.outcome ?? null,
  }))
}

const EFFECTS: ReadonlySet<TraceRecord['kind']> = new Set(['operation', 'focus', 'unfocus', 'claim'])

/**
 * Can a model call have led to it? `repeated` says whether a document or catalogue was read before.
 * Polls, sleeps, suspensions, re-reads and calls that no tool understood lead to nothing.
 */
export function effectFinder(trace: Trace): (record: TraceRecord, repeated: boolean) => boolean {
  const styleOf = styleFinder(trace)
  return (record, repeated) => {
    if (record.kind === 'read') return record.found && !repeated
    return EFFECTS.has(record.kind) || styleOf(record).means === 'effect'
  }
}

/** A look at a tool: `at` is the time of the state that was seen, not of the look. */
interface Look {
  role: string | null
  tool: string
  at: number
  n: number
}

/** Polls and syncs show the state of now, unless a fault made it older; a consumed signal shows the state of its emission. */
function looksOf(trace: Trace): Look[] {
  const signals = new Map(recordsOf(trace, 'signal').map((record) => [record.seq, record]))
  const looks: Look[] = []
  /** How old the state is that an activity's next read brings. */
  const staleMs = new Map<string | null, number>()
  for (const record of trace) {
    const { role, activity, at, n } = record
    if (record.kind === 'read_fault' && record.what === 'stale') staleMs.set(activity, record.ms)
    if (record.kind === 'poll' || record.kind === 'sync' || record.kind === 'recheck') {
      const tools = new Set(readings(record).map(([key]) => toolOf(key)))
      for (const tool of tools) looks.push({ role, tool, at: at - (staleMs.get(activity) ?? 0), n })
      staleMs.delete(activity)
    } else if (record.kind === 'consumed') {
      for (const seq of record.seqs) {
        const signal = signals.get(seq)
        if (signal !== undefined) looks.push({ role, tool: signal.tool, at: signal.at, n })
      }
    }
  }
  return looks
}

/**
 * The latest state of the operated tool that the agent had seen when its deciding model call began (or, without a
 * model, when it operated); null where it had seen none.
 */
export function basesOf(trace: Trace): { operation: OperationDone; basis: Look | null }[] {
  const looks = looksOf(trace)
  const requests = recordsOf(trace, 'request')
  return operationsOf(trace).map((operation) => {
    const decided = decisionOf(requests, operation)
    const seen = looks.filter(
      ({ role, tool, n }) => role === operation.role && tool === operation.record.tool && n < decided,
    )
    const basis = seen.reduce<Look | null>((best, look) => (best === null || look.at >= best.at ? look : best), null)
    return { operation, basis }
  })
}

function decisionOf(requests: readonly RecordOf<'request'>[], { record, role }: OperationDone): number {
  return requests.findLast((request) => request.role === role && request.n < record.n)?.n ?? record.n
}

interface Suspension {
  activity: string
  suspend: RecordOf<'suspend'>
  /** Null where the trial ended first. */
  wake: RecordOf<'wake'> | null
  lastedMs: number
}

/** One per suspend, paired with the next wake of the same activity. */
export function suspensionsOf(trace: Trace): Suspension[] {
  const all: Suspension[] = []
  const open = new Map<string, Suspension>()
  const ended = endTime(trace)
  for (const record of beforeEnd(trace)) {
    if (record.kind !== 'suspend' && record.kind !== 'wake') continue
    const activity = record.activity ?? record.role ?? ''
    if (record.kind === 'suspend') {
      const suspension = { activity, suspend: record, wake: null, lastedMs: ended - record.at }
      all.push(suspension)
      open.set(activity, suspension)
    } else {
      const suspension = open.get(activity)
      if (suspension === undefined) continue
      suspension.wake = record
      suspension.lastedMs = record.at - suspension.suspend.at
      open.delete(activity)
    }
  }
  return all
}

/** No value at all where there is nothing to average. */
export function meanAndMax(values: readonly number[]): Record<string, number> {
  const average = mean(values)
  return average === null ? {} : { mean: average, max: Math.max(...values) }
}

export function usageSum(trace: Trace, of: (usage: Usage) => number): number {
  return sumOf(recordsOf(trace, 'answer'), ({ usage }) => of(usage))
}

export function tokensOf({ usage }: RecordOf<'answer'>): number {
  return usage.promptTokens + usage.completionTokens
}
