import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'inert_directives',
  unit: 'count',
  better: 'neither',
  summary:
    'Template directives in texts of the world, the model or the user, which stayed text, once for each time that a text brought them. Absent for agents that expand no templates.',
  source: 'Agencia, §5; DESIGN §13',
  of(trace) {
    if (recordsOf(trace, 'unit').length === 0) return null
    return recordsOf(trace, 'inert').length
  },
})
