import { defineMetric } from '../define/index.js'
import { firstOf } from '../trace/select.js'

export default defineMetric({
  name: 'makespan_ms',
  unit: 'ms',
  better: 'lower',
  summary:
    'Virtual time until the last agent ended, of solved trials. Absent (censored) where the trial is not solved.',
  source: 'DESIGN §9',
  of: (trace) => (firstOf(trace, 'verdict')?.solved === true ? (firstOf(trace, 'end')?.at ?? null) : null),
})
