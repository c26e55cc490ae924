import { defineMetric } from '../contract/index.js'
import { sumOf } from '../stats/summary.js'
import { recordsOf } from '../trace/records.js'
import { suspensionsOf } from './calls.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'suspensions',
    ...measuredIn('count', 'neither', 'thesis 5.3'),
    summary: 'Times that an activity suspended itself to wait for signals, a condition or a time-out.',
    of: (trace) => suspensionsOf(trace).length,
  }),
  defineMetric({
    name: 'suspended_ms',
    ...measuredIn('ms', 'neither'),
    summary:
      'Virtual time that activities spent suspended, summed over activities. One that never wakes counts until the trial ends.',
    shown: { heading: 'sus-\npended', place: 110, importance: 5, called: 'suspended time' },
    of: (trace) => sumOf(suspensionsOf(trace), ({ lastedMs }) => lastedMs),
  }),
  defineMetric({
    name: 'wakeups',
    ...measuredIn('count', 'neither'),
    summary: 'Suspensions that ended: by a signal, a condition or a time-out.',
    of: (trace) => suspensionsOf(trace).filter(({ wake }) => wake !== null).length,
  }),
  defineMetric({
    name: 'spurious_wakeups',
    ...measuredIn('count', 'lower'),
    summary:
      'Wake-ups that led to no operation of the activity before it suspended itself again. A last one, after which the activity ends, is not spurious.',
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
  }),
]
