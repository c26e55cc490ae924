import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'syncs',
  unit: 'count',
  better: 'neither',
  summary: 'Reads by the runtime after a doorbell, one per tool read.',
  source: 'DESIGN §9',
  of: (trace) => recordsOf(trace, 'sync').length,
})
