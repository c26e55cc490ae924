import { defineMetric } from '../define/index.js'
import type { Trace } from '../define/index.js'
import { recordsOf } from '../trace/select.js'
import { operationsOf } from './lib/operations.js'

export default defineMetric({
  name: 'probes',
  unit: 'count',
  better: 'lower',
  summary:
    'Operations and reads that can serve to feel out the world: refused operations; accepted ones that repeat an earlier accepted one of the same agent (same arguments) and never changed a property nor led to a signal; documents read again. The catalogue is not counted.',
  source: 'DESIGN §9',
  of: (trace) => feelers(trace) + rereads(trace),
})

function feelers(trace: Trace): number {
  const consequential = new Set(
    trace.flatMap((record) => (record.kind === 'change' || record.kind === 'signal' ? [record.op] : [])),
  )
  const accepted = new Set<string>()
  let count = 0
  for (const { record, role, outcome } of operationsOf(trace)) {
    const same = JSON.stringify([role, record.tool, record.action, record.args])
    if (outcome === 'refused' || (outcome === 'accepted' && accepted.has(same) && !consequential.has(record.op)))
      count++
    if (outcome === 'accepted') accepted.add(same)
  }
  return count
}

function rereads(trace: Trace): number {
  const reads = recordsOf(trace, 'read').filter(({ what, found }) => what === 'document' && found)
  return reads.length - new Set(reads.map(({ role, document }) => `${role} ${document}`)).size
}
