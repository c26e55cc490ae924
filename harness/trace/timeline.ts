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
  looks: { at: number; kind: 'poll' | 'sync' | 'resync' | 'document' | 'catalogue'; what: string }[]
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

function createLanes(trace: Trace, endsAt: number): Lane[] {
  const roleOf = roleFinder(trace)
  const [phaseOf, styleOf] = [phaseFinder(trace), styleFinder(trace)]
  const acks = acknowledgements(trace)
  const answers = new Map(recordsOf(trace, 'answer').map((record) => [record.call, record]))
  const writers = new Map<string, Writer>()
  const perRole = new Map<string, number>()
  for (const record of beforeEnd(trace)) {
    const role = roleOf(record)
    if (role === null || record.activity === null) continue
    const key = JSON.stringify([role, record.activity])
    let writer = writers.get(key)
    if (writer === undefined) {
      const number = (perRole.get(role) ?? 0) + 1
      perRole.set(role, number)
      writer = createWriter({ role, number, endsAt, acks, answers, phaseOf, styleOf })
      writers.set(key, writer)
    }
    writer.add(record)
  }
  return [...writers.values()].map((writer) => writer.finish())
}

interface Writer {
  add(record: TraceRecord): void
  finish(): Lane
}

function createWriter(known: {
  role: string
  number: number
  endsAt: number
  acks: ReadonlyMap<string, RecordOf<'acknowledgement'>>
  answers: ReadonlyMap<number, RecordOf<'answer'>>
  phaseOf: ReturnType<typeof phaseFinder>
  styleOf: ReturnType<typeof styleFinder>
}): Writer {
  const { role, number, endsAt, acks, answers, phaseOf, styleOf } = known
  const lane: Lane = {
    role,
    number,
    phases: [],
    calls: [],
    operations: [],
    looks: [],
    waits: [],
    consumed: [],
    doorbells: [],
    claims: [],
    troubles: [],
  }
  let phase: Lane['phases'][number] | null = null
  let suspension: Lane['waits'][number] | null = null
  return {
    add(record) {
      const { at } = record
      switch (record.kind) {
        case 'note': {
          const begun = phaseOf(record)
          if (begun !== null) {
            close(phase, at)
            phase = { from: at, to: endsAt, ...begun }
            lane.phases.push(phase)
          }
          if (styleOf(record).means === 'trouble') lane.troubles.push({ at, what: record.line ?? record.name })
          break
        }
        case 'request':
          lane.calls.push(callOf(record, answers.get(record.call), endsAt))
          break
        case 'thought': {
          const [from, call] = [at - record.thoughtMs, lane.calls.length + 1]
          lane.calls.push({ from, to: at, call, phase: 'thought', state: 'answered', said: null, tokens: 0 })
          break
        }
        case 'operation': {
          const ack = acks.get(record.op)
          const { tool, action } = record
          lane.operations.push({ at, tool, action, outcome: ack?.outcome ?? 'invalid', message: ack?.message ?? '' })
          break
        }
        case 'invalid':
          lane.operations.push({ at, tool: record.tool, action: '', outcome: 'invalid', message: record.message })
          break
        case 'poll':
          lane.looks.push({ at, kind: 'poll', what: Object.keys(record.values).join(', ') })
          break
        case 'sync':
          lane.looks.push({ at, kind: 'sync', what: record.tool })
          break
        case 'resync':
          lane.looks.push({ at, kind: 'resync', what: 'the log' })
          break
        case 'read':
          lane.looks.push({ at, kind: record.what, what: record.document ?? 'tools and documents' })
          break
        case 'sleep':
          lane.waits.push({ from: at, to: Math.min(endsAt, at + record.delayMs), kind: 'sleep', until: 'time passed' })
          break
        case 'suspend':
          close(phase, at)
          phase = null
          suspension = { from: at, to: endsAt, kind: 'suspension', until: awaited(record) }
          lane.waits.push(suspension)
          break
        case 'wake':
          close(suspension, at)
          suspension = null
          break
        case 'consumed':
          if (record.seqs.length > 0) lane.consumed.push({ at, seqs: record.seqs })
          break
        case 'doorbell': {
          const { what, tool, delayMs, count } = record
          if (what !== 'telemetry') lane.doorbells.push({ at, what, tool, delayMs, count })
          break
        }
        case 'claim':
          close(phase, at)
          phase = null
          lane.claims.push({ at, claim: record.claim, text: record.text })
          break
        case 'malformed':
          lane.troubles.push({ at, what: `malformed ${record.what}: ${record.detail}` })
          break
        case 'error':
          lane.troubles.push({ at, what: record.message })
          break
        default:
          break
      }
    },
    finish: () => lane,
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
