import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'polls',
  unit: 'count',
  better: 'lower',
  summary: 'State reads chosen by the model.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'poll').length,
})
