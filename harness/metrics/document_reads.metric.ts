import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'document_reads',
  unit: 'count',
  better: 'neither',
  summary: 'Documents retrieved, re-reads included. The catalogue and unknown documents are not counted.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'read').filter(({ what, found }) => what === 'document' && found).length,
})
