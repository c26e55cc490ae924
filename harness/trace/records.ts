import type { NoteStyle, RecordOf, Recorder, Trace, TraceRecord } from '../contract/index.js'

export function recordsOf<K extends TraceRecord['kind']>(trace: Trace, kind: K): RecordOf<K>[] {
  return trace.filter((record): record is RecordOf<K> => record.kind === kind)
}

export function firstOf<K extends TraceRecord['kind']>(trace: Trace, kind: K): RecordOf<K> | null {
  return trace.find((record): record is RecordOf<K> => record.kind === kind) ?? null
}

/** The acknowledgement of each operation by its id. */
export function acknowledgements(trace: Trace): Map<string, RecordOf<'acknowledgement'>> {
  return new Map(recordsOf(trace, 'acknowledgement').map((record) => [record.op, record]))
}

/**
 * Who a record belongs to. Worlds record operations by activity alone; whoever else spoke for that activity tells its
 * role. In a trial of one role all that has an activity is its.
 */
export function roleFinder(trace: Trace): (record: TraceRecord) => string | null {
  const roles = firstOf(trace, 'trial')?.roles ?? []
  const only = roles.length === 1 ? (roles[0]?.name ?? null) : null
  const byActivity = new Map<string, string>()
  for (const { role, activity } of trace) if (role !== null && activity !== null) byActivity.set(activity, role)
  return ({ role, activity }) => role ?? (activity === null ? null : (byActivity.get(activity) ?? only))
}

export function notesOf(trace: Trace, name: string): RecordOf<'note'>[] {
  return recordsOf(trace, 'note').filter((note) => note.name === name)
}

/** What its author declares of a note; of every other record nothing. */
export function styleFinder(trace: Trace): (record: TraceRecord) => NoteStyle {
  const byRole = new Map(firstOf(trace, 'trial')?.roles.map(({ name, notes }) => [name, notes]))
  return (record) => (record.kind === 'note' ? (byRole.get(record.role ?? '')?.[record.name] ?? {}) : {})
}

/** What an activity is at, as its agent tells it. */
export interface Phase {
  label: string
  cycle: number | null
}

/** The phase that begins with a record; null where none does. */
export function phaseFinder(trace: Trace): (record: TraceRecord) => Phase | null {
  const styleOf = styleFinder(trace)
  return (record) => {
    if (record.kind !== 'note' || styleOf(record).means !== 'phase') return null
    const { label, cycle } = record.data
    return {
      label: typeof label === 'string' ? label : record.name,
      cycle: typeof cycle === 'number' ? cycle : null,
    }
  }
}

/** The trial proper: what the world did by itself afterwards is left out. */
export function beforeEnd(trace: Trace): Trace {
  const end = trace.findIndex((record) => record.kind === 'end')
  return end < 0 ? trace : trace.slice(0, end)
}

/** When the last agent ended or the trial was ended; for a torn trace, its last record. */
export function endTime(trace: Trace): number {
  return (firstOf(trace, 'end') ?? trace.at(-1))?.at ?? 0
}

/** `tool.property`, whether or not the values are keyed so already. */
export function propertyKey(tool: string, property: string): string {
  return property.startsWith(`${tool}.`) ? property : `${tool}.${property}`
}

/** Tool names hold no dots. */
export function toolOf(key: string): string {
  return key.slice(0, key.indexOf('.'))
}

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
