import type { RecordOf, Surface, TraceRecord } from '../../contract/index.js'
import { styleFinder } from '../../trace/records.js'

/** A model that is never of use again has to be given up after this many calls. */
const PATIENCE_CALLS = 60
/** How a trace tells that an answer led to nothing, if no note does. */
const NOTICES: readonly TraceRecord['kind'][] = ['malformed', 'invalid']

/** What a trace must not hold, by surface: verbs that the agent does not have. */
const FOREIGN: Readonly<Record<Surface, readonly TraceRecord['kind'][]>> = {
  act: ['poll', 'sleep', 'focus', 'sync', 'resync', 'consumed'],
  block: ['poll', 'sleep', 'sync'],
  poll: ['focus', 'sync', 'resync', 'consumed'],
  await: [],
  async: ['sleep', 'sync', 'resync'],
  push: ['poll', 'sleep'],
}

export const of = <K extends TraceRecord['kind']>(trace: readonly TraceRecord[], kind: K): RecordOf<K>[] =>
  trace.filter((record): record is RecordOf<K> => record.kind === kind)
export const endOf = (trace: readonly TraceRecord[]) => of(trace, 'end')[0]?.how
export const errorsOf = (trace: readonly TraceRecord[]) => of(trace, 'error').map(({ message }) => message)

/** What an agent did by verbs that its surface does not have. */
export const foreignTo = (surface: Surface, trace: readonly TraceRecord[]): TraceRecord[] =>
  trace.filter(({ kind }) => FOREIGN[surface].includes(kind))

/** What is wrong with a trial whose model has been of no use from one answer on. */
export function spoiltFaults(trace: readonly TraceRecord[], from: number): string[] {
  const answers = of(trace, 'answer')
  const first = answers[from]?.n ?? Infinity
  const bad = answers.filter(({ n }) => n >= first).length
  const styleOf = styleFinder(trace)
  const noticed = trace.filter((record) => NOTICES.includes(record.kind) || styleOf(record).means === 'trouble').length
  const acted = of(trace, 'operation').filter(({ n }) => n > first)
  const how = endOf(trace) ?? 'nothing'
  return [
    ...errorsOf(trace),
    ...(how === 'ended' ? [] : [`It does not end by itself, but by ${how}.`]),
    ...(noticed >= bad ? [] : [`Of ${bad} bad answers it tells ${noticed}.`]),
    ...(bad <= PATIENCE_CALLS ? [] : [`It asks ${bad} times for something better.`]),
    // Neither what is wrong, nor what was right before it, is carried out any more.
    ...acted.map(({ tool, action }) => `After the first bad answer it calls ${tool}.${action}.`),
  ]
}
