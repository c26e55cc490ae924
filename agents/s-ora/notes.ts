import type { AgentNote, JsonObject, NoteStyle, SignalEntry } from '../../harness/contract/index.js'
import type { Mismatch } from './ranges.js'

/** What S-ORA tells the trace, and how it is shown and counted. */
export const noteStyles = {
  phase: { means: 'phase' },
  plan: { colour: 'dim' },
  mount: { means: 'effect' },
  unmount: { means: 'effect' },
  guard: { means: 'value' },
  mismatch: { means: 'trouble', colour: 'yellow' },
  recall: {},
} as const satisfies Record<string, NoteStyle>

const note = (name: keyof typeof noteStyles, data: JsonObject, line: string | null): AgentNote => ({
  kind: 'note',
  name,
  data,
  line,
})

export const notes = {
  phase: (label: string, cycle: number) => note('phase', { label, cycle }, null),
  plan(plan: string[], summary: string) {
    return note('plan', { plan, summary }, `plan: ${plan.join(' / ')}${summary === '' ? '' : ` · ${summary}`}`)
  },
  mount: (documents: string[]) => note('mount', { documents }, `mounts ${documents.join(', ')}`),
  unmount: (documents: string[]) => note('unmount', { documents }, `unmounts ${documents.join(', ')}`),
  /** A phase was cut short by what had arrived. */
  guard(from: string, arrived: readonly SignalEntry[], beliefs: readonly string[]) {
    const signals = arrived.map(({ signal }) => signal)
    const line = `the guard turns ${from} back to observe: ${[...signals, ...beliefs].join(', ')}`
    return note('guard', { value: { diverted: from }, signals, ...(beliefs.length > 0 && { beliefs }) }, line)
  },
  /** A value that the mounted documents do not allow. */
  mismatch(mismatch: Mismatch) {
    const { tool, property, value, range } = mismatch
    const line = `${property} of ${tool} = ${value} does not fit its document: ${range}`
    return note('mismatch', { ...mismatch }, line)
  },
  /** What the agent brought from earlier trials; `stale` was forgotten, since the world's documents have changed. */
  recall(documents: readonly string[], stale: readonly string[], experiences: number) {
    const forgets = stale.length === 0 ? '' : `; forgets what has changed: ${stale.join(', ')}`
    const line = `recalls ${documents.length} documents and ${experiences} experiences${forgets}`
    return note('recall', { documents, stale, experiences }, line)
  },
}
