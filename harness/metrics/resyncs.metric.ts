import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'resyncs',
  unit: 'count',
  better: 'lower',
  summary: 'Reads of the signal log by the runtime on a timer or after a time-out, without a doorbell.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'resync').length,
})
