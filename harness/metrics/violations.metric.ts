import { defineMetric } from '../define/index.js'
import { beforeEnd, recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'violations',
  unit: 'count',
  better: 'lower',
  summary:
    'Kinds of violation committed until the trial ended, each counted once. What the world did afterwards is not counted.',
  source: 'DESIGN §5, §9',
  of: (trace) => recordsOf(beforeEnd(trace), 'violation').length,
})
