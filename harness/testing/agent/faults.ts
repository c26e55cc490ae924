import type { RecordOf, Surface, TraceRecord } from '../../contract/index.js'
import { surfaces } from '../../door/surfaces/index.js'
import { styleFinder } from '../../trace/records.js'

/** A model that is never of use again has to be given up after this many calls. */
const PATIENCE_CALLS = 60
/** How a trace tells that an answer led to nothing, if no note does. */
const NOTICES: readonly TraceRecord['kind'][] = ['malformed', 'invalid']

export const of = <K extends TraceRecord['kind']>(trace: readonly TraceRecord[], kind: K): RecordOf<K>[] =>
  trace.filter((record): record is RecordOf<K> => record.kind === kind)
export const endOf = (trace: readonly TraceRecord[]) => of(trace, 'end')[0]?.how
export const errorsOf = (trace: readonly TraceRecord[]) => of(trace, 'error').map(({ message }) => message)

/** What an agent did by verbs that its surface does not have. */
export const foreignTo = (surface: Surface, trace: readonly TraceRecord[]): TraceRecord[] =>
  trace.filter(({ kind }) => new Set<string>(surfaces[surface].never).has(kind))

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
