import type { RecordOf, Scalar, Trace, TrialIdentity, TraceRecord } from '../define/index.js'
import { endTime, firstOf, recordsOf } from './select.js'
import { createLanes } from './timeline-lane.js'
import type { Lane } from './timeline-lane.js'

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
