import type { RecordOf, Trace } from '../../define/index.js'
import { acknowledgements, recordsOf, roleFinder } from '../../trace/select.js'

export interface OperationDone {
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
