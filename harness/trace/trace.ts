import type { Recorder, TraceRecord } from '../define/index.js'

/** A trace under way: what is recorded is numbered and stamped, and belongs to the trace from then on. */
export function createTrace(now: () => number): { record: Recorder; records: TraceRecord[] } {
  const records: TraceRecord[] = []
  return {
    records,
    record(happening, who) {
      records.push({
        n: records.length,
        at: now(),
        role: who?.role ?? null,
        activity: who?.activity ?? null,
        ...happening,
      })
    },
  }
}
