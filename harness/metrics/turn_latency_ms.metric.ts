import { defineMetric } from '../define/index.js'
import { mean } from '../stats/summary.js'
import { beforeEnd, firstOf, recordsOf } from '../trace/select.js'
import { operationsOf } from './lib/operations.js'

/** No value at all: worlds of one role have no such thing. */
const NONE: Record<string, number> = {}

export default defineMetric({
  name: 'turn_latency_ms',
  unit: 'ms',
  better: 'lower',
  summary:
    'Where several roles share a world: from a change of a tool by an operation of one role to the next change of that tool by an operation of another, which is when that one has taken its turn. `mean` and `max`; what is personal to an activity does not count. Absent where no turn was handed over.',
  source: 'DESIGN §9',
  of(trace) {
    if ((firstOf(trace, 'trial')?.roles.length ?? 0) < 2) return NONE
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
    const average = mean(turns)
    return average === null ? NONE : { mean: average, max: Math.max(...turns) }
  },
})
