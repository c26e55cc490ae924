import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'thinking_ms',
  unit: 'ms',
  better: 'lower',
  summary:
    'Virtual time of all model calls together, also of those that were interrupted, and of scripts that think like one: what was charged, whoever else thought at the same time.',
  source: 'DESIGN §4',
  of: (trace) =>
    [...recordsOf(trace, 'answer'), ...recordsOf(trace, 'thought')].reduce((sum, { thoughtMs }) => sum + thoughtMs, 0),
})
