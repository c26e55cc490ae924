import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'
import { basesOf } from './lib/observations.js'
import { operationsOf } from './lib/operations.js'

export default defineMetric({
  name: 'stale_operations',
  unit: 'count',
  better: 'lower',
  summary:
    "Operations whose tool had changed since the state that they were based on (see observation_age_ms). What the agent's own operations changed at once, and acknowledged, does not count. Absent where no operation was based on an observed state.",
  source: 'DESIGN §9',
  of(trace) {
    const based = basesOf(trace).filter(({ basis }) => basis !== null)
    if (based.length === 0) return null
    const operations = new Map(operationsOf(trace).map((operation) => [operation.record.op, operation]))
    const changes = recordsOf(trace, 'change')
    return based.filter(({ operation: { record, role }, basis }) =>
      changes.some((change) => {
        if (basis === null || change.tool !== record.tool || change.n > record.n) return false
        // What another activity has of its own is no state of the tool to this one.
        if (change.activity !== null && change.activity !== record.activity) return false
        const cause = change.op === null ? undefined : operations.get(change.op)
        if (cause !== undefined && cause.role === role && cause.record.at === change.at) return false
        return change.at > basis.at || (change.at === basis.at && change.n > basis.n)
      }),
    ).length
  },
})
