import { defineMetric } from '../contract/index.js'
import { isObject } from '../kit/index.js'
import { sumOf } from '../stats/summary.js'
import { recordsOf, styleFinder } from '../trace/records.js'
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
    name: 'diversions',
    ...measuredIn('count', 'neither', 'thesis 7.3.2'),
    summary:
      'What a guard dropped for the sake of news, by the phase that was cut short: a reflection that was interrupted as well. Absent where there was none.',
    of(trace) {
      const styleOf = styleFinder(trace)
      const counts: Record<string, number> = {}
      for (const record of recordsOf(trace, 'note')) {
        const value = styleOf(record).means === 'value' ? record.data['value'] : null
        const phase = isObject(value) ? value['diverted'] : undefined
        if (typeof phase === 'string') counts[phase] = (counts[phase] ?? 0) + 1
      }
      return counts
    },
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
