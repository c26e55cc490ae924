import { prompt } from '../../kit/index.js'
import type { Json, JsonObject, RecordOf, Trace, TraceRecord } from '../../contract/index.js'
import { acknowledgements, beforeEnd, firstOf, recordsOf, roleFinder, styleFinder } from '../records.js'
import type { Call, Cycle } from './artifacts.js'
import { callOf, toolsetOf } from './calls.js'

/** The extension for asynchronous runs: when each cycle began, which signals it took in, and when it called. */
interface ReplayKey {
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
function createCycles(trace: Trace, goal: string | null) {
  const styleOf = styleFinder(trace)
  const bySeq = new Map(recordsOf(trace, 'signal').map((signal) => [signal.seq, signal]))
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
      else if (record.kind === 'note' && styleOf(record).means === 'value') current(at).v = record.data['value'] ?? null
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

/** What one activity did, in the terms of the interaction algebra (docs/algebra.md). */
export interface Interaction {
  role: string
  activity: string
  /** T_1 … T_n by name. */
  tools: readonly string[]
  cycles: readonly Cycle[]
  /** No part of the paper: what replay needs beside the four artifacts. */
  replayKey: ReplayKey
}

/** Every activity of a trial, in the order of its roles, and within a role of their first records. */
export function interactionsOf(trace: Trace): Interaction[] {
  const roles = firstOf(trace, 'trial')?.roles.map(({ name }) => name) ?? []
  const roleOf = roleFinder(trace)
  const found = new Map<string, string>()
  for (const record of beforeEnd(trace)) {
    const { activity } = record
    if (activity !== null && !found.has(activity)) found.set(activity, roleOf(record) ?? '')
  }
  return [...found]
    .toSorted(([, a], [, b]) => roles.indexOf(a) - roles.indexOf(b))
    .map(([activity, role]) => read(trace, { activity, role }))
}

function read(trace: Trace, { activity, role }: { activity: string; role: string }): Interaction {
  const goal = goalOf(trace, activity, role)
  const acks = acknowledgements(trace)
  const tools = toolsetOf(trace, activity)
  const cycles = createCycles(trace, goal)
  for (const record of beforeEnd(trace)) {
    if (record.activity === activity) cycles.take(record, callOf(record, tools, acks))
  }
  return { role, activity, tools: tools.names, ...cycles.close() }
}

/** Where a role has several goals, those that the activity took on. */
function goalOf(trace: Trace, activity: string, role: string): string | null {
  const pursued = recordsOf(trace, 'pursue').find((record) => record.activity === activity)?.goals
  const told = recordsOf(trace, 'goal').filter((record) => record.role === role && pursued?.includes(record.goal))
  if (told.length > 0) return prompt.goalText(told.map(({ text }) => text))
  return firstOf(trace, 'trial')?.roles.find(({ name }) => name === role)?.goal ?? null
}
