import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'
import { suspensionsOf } from './lib/suspensions.js'

export default defineMetric({
  name: 'spurious_wakeups',
  unit: 'count',
  better: 'lower',
  summary:
    'Wake-ups that led to no operation of the activity before it suspended itself again. A last one, after which the activity ends, is not spurious.',
  source: 'DESIGN §9',
  of(trace) {
    const suspensions = suspensionsOf(trace)
    const operations = recordsOf(trace, 'operation')
    return suspensions.filter(({ activity, wake }) => {
      if (wake === null) return false
      const next = suspensions.find((other) => other.activity === activity && other.suspend.n > wake.n)
      if (next === undefined) return false
      return !operations.some(({ n, activity: own }) => own === activity && wake.n < n && n < next.suspend.n)
    }).length
  },
})
