import type { RecordOf, Trace } from '../../define/index.js'
import { readings } from '../../trace/knowledge.js'
import { recordsOf, toolOf } from '../../trace/select.js'
import { operationsOf } from './operations.js'
import type { OperationDone } from './operations.js'

/** A look at a tool: `at` is the time of the state that was seen, not of the look. */
export interface Look {
  role: string | null
  tool: string
  at: number
  n: number
}

/** Polls and syncs show the state of now; a consumed signal shows the state of its emission. */
export function looksOf(trace: Trace): Look[] {
  const signals = new Map(recordsOf(trace, 'signal').map((record) => [record.seq, record]))
  const looks: Look[] = []
  for (const record of trace) {
    const { role, at, n } = record
    if (record.kind === 'poll' || record.kind === 'sync') {
      const tools = new Set(readings(record).map(([key]) => toolOf(key)))
      for (const tool of tools) looks.push({ role, tool, at, n })
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
