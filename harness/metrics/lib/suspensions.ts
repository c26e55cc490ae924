import type { RecordOf, Trace } from '../../define/index.js'
import { beforeEnd, endTime } from '../../trace/select.js'

export interface Suspension {
  activity: string
  suspend: RecordOf<'suspend'>
  /** Null where the trial ended first. */
  wake: RecordOf<'wake'> | null
  lastedMs: number
}

/** One per suspend, paired with the next wake of the same activity. */
export function suspensionsOf(trace: Trace): Suspension[] {
  const all: Suspension[] = []
  const open = new Map<string, Suspension>()
  const ended = endTime(trace)
  for (const record of beforeEnd(trace)) {
    if (record.kind !== 'suspend' && record.kind !== 'wake') continue
    const activity = record.activity ?? record.role ?? ''
    if (record.kind === 'suspend') {
      const suspension = { activity, suspend: record, wake: null, lastedMs: ended - record.at }
      all.push(suspension)
      open.set(activity, suspension)
    } else {
      const suspension = open.get(activity)
      if (suspension === undefined) continue
      suspension.wake = record
      suspension.lastedMs = record.at - suspension.suspend.at
      open.delete(activity)
    }
  }
  return all
}
