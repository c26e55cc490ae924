import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'refused',
  unit: 'count',
  better: 'lower',
  summary: 'Operations that a rule of the world refused.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'acknowledgement').filter(({ outcome }) => outcome === 'refused').length,
})
