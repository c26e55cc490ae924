import { defineMetric } from '../define/index.js'
import { suspensionsOf } from './lib/suspensions.js'

export default defineMetric({
  name: 'suspended_ms',
  unit: 'ms',
  better: 'neither',
  summary:
    'Virtual time that activities spent suspended, summed over activities. One that never wakes counts until the trial ends.',
  source: 'DESIGN §9',
  of: (trace) => suspensionsOf(trace).reduce((sum, { lastedMs }) => sum + lastedMs, 0),
})
