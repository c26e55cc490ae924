import type { Json, JsonObject, RecordOf, TraceRecord } from '../define/index.js'
import type { Call, Cycle } from './artifacts.js'

/** The extension for asynchronous runs: when each cycle began, which signals it took in, and when it called. */
export interface ReplayKey {
  cycles: { at: number; signals: { seq: number; at: number }[]; calls: number[] }[]
}

/** A cycle under way. */
interface Open {
  input: { goal: string | null; woken: string | null; signals: RecordOf<'signal'>[] }
  v: Json
  calls: Call[]
  key: ReplayKey['cycles'][number]
  /** Nothing was thought or done about its input so far, so that signals still join it. */
  fresh: boolean
  /** The activity has yielded its value; whatever comes is a new cycle. */
  yielded: boolean
}

/**
 * Divides the records of one activity into cycles. A cycle begins with the goal, with a wake-up, or with signals that
 * are consumed after an answer or a call; it ends when the activity suspends itself, claims, or takes in the next input.
 */
export function createCycles({ goal, signals }: { goal: string | null; signals: readonly RecordOf<'signal'>[] }) {
  const bySeq = new Map(signals.map((signal) => [signal.seq, signal]))
  const cycles: Open[] = []

  function begin(at: number, woken: string | null): Open {
    const open: Open = {
      input: { goal: cycles.length === 0 ? goal : null, woken, signals: [] },
      v: null,
      calls: [],
      key: { at, signals: [], calls: [] },
      fresh: true,
      yielded: false,
    }
    cycles.push(open)
    return open
  }

  function current(at: number): Open {
    const last = cycles.at(-1)
    return last === undefined || last.yielded ? begin(at, null) : last
  }

  function consume({ at, seqs }: RecordOf<'consumed'>): void {
    const open = current(at)
    const cycle = open.fresh ? open : begin(at, null)
    for (const seq of seqs) {
      const signal = bySeq.get(seq)
      if (signal !== undefined) cycle.input.signals.push(signal)
      cycle.key.signals.push({ seq, at: signal?.at ?? at })
    }
  }

  function yields(cycle: Open, v: Json): void {
    cycle.v = v
    cycle.yielded = true
  }

  function called(call: Call, at: number): void {
    const cycle = current(at)
    cycle.calls.push(call)
    cycle.key.calls.push(at)
    cycle.fresh = false
  }

  function suspended({ at, signals: awaited, when, timeoutMs }: RecordOf<'suspend'>): void {
    yields(current(at), { suspended: { signals: awaited, when: when === null ? null : { ...when }, timeoutMs } })
  }

  return {
    take(record: TraceRecord, call: Call | null): void {
      const { at } = record
      if (call !== null) called(call, at)
      else if (record.kind === 'wake') begin(at, record.reason)
      else if (record.kind === 'consumed') consume(record)
      else if (record.kind === 'answer') current(at).fresh = false
      else if (record.kind === 'guard') current(at).v = { diverted: record.from }
      else if (record.kind === 'suspend') suspended(record)
      else if (record.kind === 'claim') yields(current(at), { claim: record.claim, text: record.text })
      // An activity exists, and has its goal, from its first record on; what else comes after its last value is no input.
      else if (cycles.length === 0) begin(at, null)
    },
    close: (): { cycles: Cycle[]; replayKey: ReplayKey } => ({
      cycles: cycles.map(({ input, v, calls }) => ({ u: inputOf(input), v, calls })),
      replayKey: { cycles: cycles.map(({ key }) => key) },
    }),
  }
}

/** The goal in its own words where nothing came with it; whatever else came in as data. */
function inputOf({ goal, woken, signals }: Open['input']): Json {
  if (woken === null && signals.length === 0) return goal
  const told: JsonObject = {
    ...(goal !== null && { goal }),
    ...(woken !== null && { woken }),
    signals: signals.map(({ tool, signal, payload }) => ({ signal, tool, payload })),
  }
  return told
}
