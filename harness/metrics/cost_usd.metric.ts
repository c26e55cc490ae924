import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'cost_usd',
  unit: 'USD',
  better: 'lower',
  summary:
    'Cost of all calls by the price table. Absent as soon as the price of one call is unknown, as for simulated models; 0 only where no call was made.',
  source: 'DESIGN §7, §9',
  of(trace) {
    let sum = 0
    for (const { costUsd } of [...recordsOf(trace, 'answer'), ...recordsOf(trace, 'embedding')]) {
      if (costUsd === null) return null
      sum += costUsd
    }
    return sum
  },
})
