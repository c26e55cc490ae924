import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'operations',
  unit: 'count',
  better: 'neither',
  summary:
    'Operations that reached the rules of the world: accepted, refused or harmful. Invalid calls are not among them.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'operation').length,
})
