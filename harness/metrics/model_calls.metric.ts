import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'model_calls',
  unit: 'count',
  better: 'lower',
  summary:
    'Requests to the model, also those that were interrupted or that the trial did not live to see answered. Retries of the transport are not counted.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'request').length,
})
