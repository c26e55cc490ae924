import { defineMetric } from '../define/index.js'
import { suspensionsOf } from './lib/suspensions.js'

export default defineMetric({
  name: 'wakeups',
  unit: 'count',
  better: 'neither',
  summary: 'Suspensions that ended: by a signal, a condition or a time-out.',
  source: 'DESIGN §9',
  of: (trace) => suspensionsOf(trace).filter(({ wake }) => wake !== null).length,
})
