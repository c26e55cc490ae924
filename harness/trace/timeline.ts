import type { CallResult, Claim, RecordOf, Scalar, Trace, TraceRecord, TrialIdentity } from '../contract/index.js'
import { awaited } from './lines.js'
import {
  acknowledgements,
  beforeEnd,
  endTime,
  firstOf,
  phaseFinder,
  recordsOf,
  roleFinder,
  styleFinder,
} from './records.js'
import type { Phase } from './records.js'

/** What one activity of an agent did, in order of time. */
export interface Lane {
  role: string
  /** Counts the activities of the role from 1. */
  number: number
  phases: (Span & Phase)[]
  /** From question to answer: the thinking time. `said`: the tools that were called, or null for words. */
  calls: (Span & { call: number; phase: string; state: CallState; said: string | null; tokens: number })[]
  operations: { at: number; tool: string; action: string; outcome: CallResult['outcome']; message: string }[]
  looks: { at: number; kind: 'poll' | 'sync' | 'resync' | 'recheck' | 'document' | 'catalogue'; what: string }[]
  waits: (Span & { kind: 'sleep' | 'suspension'; until: string })[]
  consumed: { at: number; seqs: number[] }[]
  /** Faults of delivery; telemetry is left out. */
  doorbells: { at: number; what: DoorbellFault; tool: string | null; delayMs: number; count: number }[]
  claims: { at: number; claim: Claim; text: string }[]
  /** What went wrong on the agent's side. */
  troubles: { at: number; what: string }[]
}

type DoorbellFault = Exclude<RecordOf<'doorbell'>['what'], 'telemetry'>
interface Span {
  from: number
  to: number
}
type CallState = 'answered' | 'interrupted' | 'unanswered'

/** A lane under way, and what of it goes on. */
interface OpenLane {
  lane: Lane
  phase: Span | null
  suspension: Span | null
}

function createLanes(trace: Trace, endsAt: number): Lane[] {
  const [roleOf, phaseOf, styleOf] = [roleFinder(trace), phaseFinder(trace), styleFinder(trace)]
  const acks = acknowledgements(trace)
  const answers = new Map(recordsOf(trace, 'answer').map((record) => [record.call, record]))
  const lanes = new Map<string, OpenLane>()
  for (const record of beforeEnd(trace)) {
    const role = roleOf(record)
    if (role === null || record.activity === null) continue
    const key = JSON.stringify([role, record.activity])
    const open = lanes.get(key) ?? begin(role)
    lanes.set(key, open)
    add(record, open)
  }
  return [...lanes.values()].map(({ lane }) => lane)

  function begin(role: string): OpenLane {
    const number = 1 + [...lanes.values()].filter(({ lane }) => lane.role === role).length
    const done = { operations: [], looks: [], consumed: [], doorbells: [], claims: [], troubles: [] }
    return { lane: { role, number, phases: [], calls: [], waits: [], ...done }, phase: null, suspension: null }
  }

  function add(record: TraceRecord, open: OpenLane): void {
    const { at } = record
    const { lane } = open
    if (record.kind === 'note') {
      const begun = phaseOf(record)
      if (begun !== null) {
        const phase = { from: at, to: endsAt, ...begun }
        close(open.phase, at)
        open.phase = phase
        lane.phases.push(phase)
      }
      if (styleOf(record).means === 'trouble') lane.troubles.push({ at, what: record.line ?? record.name })
    } else if (record.kind === 'request') {
      lane.calls.push(callOf(record, answers.get(record.call), endsAt))
    } else if (record.kind === 'thought') {
      const [from, call] = [at - record.thoughtMs, lane.calls.length + 1]
      lane.calls.push({ from, to: at, call, phase: 'thought', state: 'answered', said: null, tokens: 0 })
    } else if (record.kind === 'operation') {
      const { outcome = 'invalid', message = '' } = acks.get(record.op) ?? {}
      lane.operations.push({ at, tool: record.tool, action: record.action, outcome, message })
    } else if (record.kind === 'invalid') {
      lane.operations.push({ at, tool: record.tool, action: '', outcome: 'invalid', message: record.message })
    } else if (record.kind === 'poll') {
      lane.looks.push({ at, kind: 'poll', what: Object.keys(record.values).join(', ') })
    } else if (record.kind === 'sync') {
      lane.looks.push({ at, kind: 'sync', what: record.tool })
    } else if (record.kind === 'resync') {
      lane.looks.push({ at, kind: 'resync', what: 'the log' })
    } else if (record.kind === 'recheck') {
      lane.looks.push({ at, kind: 'recheck', what: `the log and ${record.reads - 1} tools` })
    } else if (record.kind === 'read') {
      lane.looks.push({ at, kind: record.what, what: record.document ?? 'tools and documents' })
    } else if (record.kind === 'sleep') {
      lane.waits.push({ from: at, to: Math.min(endsAt, at + record.delayMs), kind: 'sleep', until: 'time passed' })
    } else if (record.kind === 'suspend') {
      const wait: Lane['waits'][number] = { from: at, to: endsAt, kind: 'suspension', until: awaited(record) }
      close(open.phase, at)
      open.phase = null
      open.suspension = wait
      lane.waits.push(wait)
    } else if (record.kind === 'wake') {
      close(open.suspension, at)
      open.suspension = null
    } else if (record.kind === 'consumed') {
      if (record.seqs.length > 0) lane.consumed.push({ at, seqs: record.seqs })
    } else if (record.kind === 'doorbell') {
      const { what, tool, delayMs, count } = record
      if (what !== 'telemetry') lane.doorbells.push({ at, what, tool, delayMs, count })
    } else if (record.kind === 'claim') {
      close(open.phase, at)
      open.phase = null
      lane.claims.push({ at, claim: record.claim, text: record.text })
    } else if (record.kind === 'malformed') {
      lane.troubles.push({ at, what: `malformed ${record.what}: ${record.detail}` })
    } else if (record.kind === 'error') {
      lane.troubles.push({ at, what: record.message })
    }
  }
}

function close(span: Span | null, at: number): void {
  if (span !== null) span.to = at
}

function callOf(
  { at, call, phase }: RecordOf<'request'>,
  answer: RecordOf<'answer'> | undefined,
  endsAt: number,
): Lane['calls'][number] {
  if (answer === undefined) return { from: at, to: endsAt, call, phase, state: 'unanswered', said: null, tokens: 0 }
  const { toolCalls, usage, status } = answer
  const said = toolCalls.map(({ name, arguments: args }) => `${name} ${args}`).join(', ')
  return {
    from: at,
    to: answer.at,
    call,
    phase,
    state: status,
    said: said === '' ? null : said,
    tokens: usage.promptTokens + usage.completionTokens,
  }
}

/** A trial on virtual time (ms), as data: what the world did, and a lane for each activity of each agent. */
export interface Timeline {
  identity: TrialIdentity | null
  verdict: RecordOf<'verdict'> | null
  /** When the last agent ended; the world may go on by itself until `lastsMs`. */
  endsAt: number
  lastsMs: number
  properties: PropertyTrack[]
  signals: { at: number; signal: string; tool: string; seq: number }[]
  violations: { at: number; violation: string }[]
  lanes: Lane[]
}

/** A property that changed; its first step is its value at 0. `number`: worth a curve, else a state. */
export interface PropertyTrack {
  tool: string
  property: string
  kind: 'number' | 'state'
  steps: { at: number; value: Scalar }[]
}

export function timelineOf(trace: Trace): Timeline {
  const endsAt = endTime(trace)
  return {
    identity: firstOf(trace, 'trial')?.identity ?? null,
    verdict: firstOf(trace, 'verdict'),
    endsAt,
    lastsMs: Math.max(endsAt, lastMovement(trace)),
    properties: propertyTracks(recordsOf(trace, 'change')),
    signals: recordsOf(trace, 'signal').map(({ at, signal, tool, seq }) => ({ at, signal, tool, seq })),
    violations: recordsOf(trace, 'violation').map(({ at, violation }) => ({ at, violation })),
    lanes: createLanes(trace, endsAt),
  }
}

/** The settling itself may last until a bound at which nothing happens. */
function lastMovement(trace: Trace): number {
  return trace.findLast(moves)?.at ?? 0
}

function moves({ kind }: TraceRecord): boolean {
  return kind === 'change' || kind === 'signal' || kind === 'violation'
}

function propertyTracks(changes: readonly RecordOf<'change'>[]): PropertyTrack[] {
  const tracks = new Map<string, PropertyTrack>()
  for (const { tool, property, from, to, at } of changes) {
    const key = JSON.stringify([tool, property])
    const first = from === null ? [] : [{ at: 0, value: from }]
    const track = tracks.get(key) ?? { tool, property, kind: 'number', steps: first }
    tracks.set(key, track)
    track.steps.push({ at, value: to })
    if ((from !== null && typeof from !== 'number') || typeof to !== 'number') track.kind = 'state'
  }
  return [...tracks.values()]
}
