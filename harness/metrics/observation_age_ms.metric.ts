import { defineMetric } from '../define/index.js'
import { mean } from '../stats/summary.js'
import { basesOf } from './lib/observations.js'

export default defineMetric({
  name: 'observation_age_ms',
  unit: 'ms (unobserved: count)',
  better: 'lower',
  summary:
    'At each operation: the age of the latest state of that tool that the agent had seen when the deciding model call began, by a poll, a sync or a consumed signal (which shows the state of its emission). `mean` and `max` over the operations that had such a state; `unobserved` counts the others. Acknowledgements are no observation. Where doorbells tell of changes, an old state may still be the present one: see stale_operations.',
  source: 'DESIGN §9',
  of(trace) {
    const bases = basesOf(trace)
    const ages = bases.flatMap(({ operation, basis }) => (basis === null ? [] : [operation.record.at - basis.at]))
    const average = mean(ages)
    return {
      ...(average === null ? {} : { mean: average, max: Math.max(...ages) }),
      unobserved: bases.length - ages.length,
    }
  },
})
