import { UserError } from '../define/index.js'
import type { Trace, TraceRecord } from '../define/index.js'

/** A place in a trace: before a record, or before a virtual time. */
export interface Step {
  text: string
  /** How many of its model calls were asked before it. */
  calls: number
}

/** Stories stamp their lines so: a time that was read off there means what it was read off. */
const STAMP_DECIMALS = 2

/** Reads `120` (a record), `12.5s` or `800ms` against the trace that it is a place of. */
export function parseStep(text: string, trace: Trace): Step {
  const [, figure, unit] = /^(\d+(?:\.\d+)?)(s|ms|)$/.exec(text.trim()) ?? []
  const value = Number(figure)
  if (figure === undefined || (unit === '' && !Number.isInteger(value))) {
    throw new UserError(
      `"${text}" is no step. Write the number of a record, such as 120, or a virtual time, such as 12.5s.`,
    )
  }
  const decimals = Math.max(STAMP_DECIMALS, figure.split('.')[1]?.length ?? 0)
  const placeOf = ({ n, at }: TraceRecord): number => {
    if (unit === '') return n
    return unit === 'ms' ? at : Number((at / 1_000).toFixed(decimals))
  }
  const last = trace.at(-1)
  if (last === undefined || value > placeOf(last)) {
    throw new UserError(
      `The step ${text} lies behind the end of the trial: its last record is ${last?.n ?? 0}, at ${(last?.at ?? 0) / 1_000} s.`,
    )
  }
  return { text, calls: trace.filter((record) => record.kind === 'request' && placeOf(record) < value).length }
}
