import { defineMetric } from '../define/index.js'
import { beforeEnd, recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'near_misses',
  unit: 'count',
  better: 'lower',
  summary: 'Actions that went well, but closer to a violation than the environment calls safe.',
  source: 'DESIGN §5, §9',
  of: (trace) => recordsOf(beforeEnd(trace), 'margin').filter(({ near }) => near).length,
})
