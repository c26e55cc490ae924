import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'model_calls_by_phase',
  unit: 'count',
  better: 'lower',
  summary: 'model_calls, split by the phase that the agent gives each call. Absent for phases that made none.',
  source: 'DESIGN §9',
  of(trace) {
    const calls: Record<string, number> = {}
    for (const { phase } of recordsOf(trace, 'request')) calls[phase] = (calls[phase] ?? 0) + 1
    return calls
  },
})
