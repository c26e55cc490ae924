import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'invalid',
  unit: 'count',
  better: 'lower',
  summary: 'Calls of unknown tools or actions, or with arguments that do not validate.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'invalid').length,
})
