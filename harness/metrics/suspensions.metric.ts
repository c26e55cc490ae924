import { defineMetric } from '../define/index.js'
import { suspensionsOf } from './lib/suspensions.js'

export default defineMetric({
  name: 'suspensions',
  unit: 'count',
  better: 'neither',
  summary: 'Times that an activity suspended itself to wait for signals, a condition or a time-out.',
  source: 'DESIGN §9; thesis 5.3',
  of: (trace) => suspensionsOf(trace).length,
})
