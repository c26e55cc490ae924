import { defineMetric } from '../contract/index.js'
import type { RecordOf, Scalar, Trace } from '../contract/index.js'
import { sumOf } from '../stats/summary.js'
import { recordsOf } from '../trace/records.js'
import { operationsOf, suspensionsOf } from './calls.js'
import { measuredIn } from './measure.js'

export default [
  defineMetric({
    name: 'polls',
    version: '3',
    ...measuredIn('count', 'lower'),
    summary:
      'State reads chosen by the model, also those that failed; and busy waits: calls of wait_for or wait that ended within a second without a signal, where nothing had changed since the question that led to them, of the tool that their condition is about or, without one, of any. A suspension by the runtime is none.',
    shown: {
      heading: 'polls/\nempty',
      called: 'polls, empty polls',
      place: 60,
      importance: 6,
      with: 'empty_polls',
      confirmatory: true,
    },
    of: (trace) =>
      recordsOf(trace, 'poll').length + failedReads(trace, 'poll') + suspensionsOf(trace).filter(isBusy(trace)).length,
  }),
  defineMetric({
    name: 'empty_polls',
    ...measuredIn('count', 'lower'),
    summary:
      "Polls that told nothing new: every value equals the one that the agent's previous poll of that property gave.",
    of(trace) {
      const known = new Map<string, Scalar>()
      let empty = 0
      for (const { role, values } of recordsOf(trace, 'poll')) {
        const read = Object.entries(values).map(([key, value]) => [`${role} ${key}`, value] as const)
        if (read.every(([key, value]) => known.get(key) === value)) empty++
        for (const [key, value] of read) known.set(key, value)
      }
      return empty
    },
  }),
  defineMetric({
    name: 'probes',
    ...measuredIn('count', 'lower'),
    summary:
      'Operations and reads that can serve to feel out the world: refused operations; accepted ones that repeat an earlier accepted one of the same agent (same arguments) and never changed a property nor led to a signal; documents read again. The catalogue is not counted.',
    shown: { heading: 'probes', place: 80, importance: 3 },
    of: (trace) => probingOperations(trace) + rereads(trace),
  }),
  defineMetric({
    name: 'syncs',
    ...measuredIn('count', 'neither'),
    summary: 'Reads by the runtime after a doorbell, one per tool read.',
    shown: { heading: 'syncs', place: 90, importance: 1 },
    of: (trace) => recordsOf(trace, 'sync').length,
  }),
  defineMetric({
    name: 'resyncs',
    ...measuredIn('count', 'lower'),
    summary: 'Reads of the signal log by the runtime on a timer or after a time-out, without a doorbell.',
    shown: {
      heading: 'resyncs/\nrechecks',
      called: 'resyncs, rechecks',
      place: 100,
      importance: 2,
      with: 'rechecks',
    },
    of: (trace) => recordsOf(trace, 'resync').length,
  }),
  defineMetric({
    name: 'rechecks',
    ...measuredIn('count', 'neither'),
    summary:
      'Looks of the runtime at the signal log and at all that is in focus, before it asks a model or acts, without a doorbell.',
    of: (trace) => recordsOf(trace, 'recheck').length,
  }),
  defineMetric({
    name: 'recheck_reads',
    ...measuredIn('count', 'lower'),
    summary: 'What `rechecks` cost: one read of the log each, and one of each tool in focus.',
    of: (trace) => sumOf(recordsOf(trace, 'recheck'), ({ reads }) => reads),
  }),
  defineMetric({
    name: 'failed_reads',
    ...measuredIn('count', 'neither', 'docs/faults.md'),
    summary: 'Reads of state, by the model or the runtime, that failed or had no answer in time: a fault of delivery.',
    of: (trace) => failedReads(trace, 'poll') + failedReads(trace, 'sync'),
  }),
  defineMetric({
    name: 'document_reads',
    ...measuredIn('count', 'neither'),
    summary: 'Documents retrieved, re-reads included. The catalogue and unknown documents are not counted.',
    of: (trace) => recordsOf(trace, 'read').filter(({ what, found }) => what === 'document' && found).length,
  }),
]

function failedReads(trace: Trace, by: RecordOf<'read_fault'>['by']): number {
  const failed = recordsOf(trace, 'read_fault').filter(({ what }) => what === 'failed' || what === 'timed_out')
  return failed.filter((record) => record.by === by).length
}

/** Shorter than any thought: who waits no longer than that has looked. */
const BUSY_MS = 1_000

function isBusy(trace: Trace): (suspension: ReturnType<typeof suspensionsOf>[number]) => boolean {
  const changes = recordsOf(trace, 'change')
  const requests = recordsOf(trace, 'request')
  return ({ activity, suspend, wake, lastedMs }) => {
    if (suspend.verb === undefined) return false
    if (wake === null || wake.reason === 'signal' || lastedMs >= BUSY_MS) return false
    const tool = suspend.when?.tool ?? null
    const asked = requests.findLast((request) => request.activity === activity && request.n < suspend.n) ?? suspend
    return !changes.some(({ n, tool: changed }) => asked.n < n && n < wake.n && (tool === null || changed === tool))
  }
}

function probingOperations(trace: Trace): number {
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
