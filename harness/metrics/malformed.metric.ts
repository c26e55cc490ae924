import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'malformed',
  unit: 'count',
  better: 'lower',
  summary:
    'Answers of the model that could not be carried out: invalid JSON, a schema or form missed, refused, cut, or held back by the runtime. Each is charged; those that were asked again are the corrective retries.',
  source: 'DESIGN §7',
  of: (trace) => recordsOf(trace, 'malformed').length,
})
