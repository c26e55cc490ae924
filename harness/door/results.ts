import { z } from 'zod'
import { lines } from '../kit/index.js'
import type { CallResult, Happening, Json, JsonObject, Scalar, ToolKind } from '../contract/index.js'
import type { Answered } from './connection.js'

/** A result, and what the door has to record of it. The world itself records what reached its rules. */
export interface Outcome {
  result: CallResult
  happening: Happening | null
  /** Of an accepted operation: the signals that will tell of its end. For the door alone. */
  expects?: string[]
}

const scalar = z.union([z.string(), z.number(), z.boolean()])
const timed = z.object({ at: z.number() })
const failure = z.object({ at: z.number(), error: z.string() })
const acknowledgement = z.object({
  outcome: z.enum(['accepted', 'refused', 'harmed']),
  operationId: z.string().nullable(),
  at: z.number(),
  expects: z.array(z.string()).default([]),
})
const retrieval = z.object({ document: z.string(), found: z.boolean(), at: z.number() })
const properties = z.record(z.string(), z.object({ value: scalar, at: z.number() }))
/** One tool's properties, as its resource tells them. */
export const reading = z.object({ tool: z.string(), properties, readAt: z.number() })
const readings = z.object({ observed: z.array(z.object({ tool: z.string(), properties })), at: z.number() })

export function outcomeOf(
  kind: Exclude<ToolKind, 'sleep' | 'wait'>,
  { name, args }: { name: string; args: JsonObject },
  { content: [{ text }], structuredContent: data, isError }: Answered,
): Outcome {
  if (isError) {
    const { at, error } = failure.parse(data)
    const result: CallResult = { kind, outcome: 'invalid', text, data, operationId: null, at }
    return { result, happening: kind === 'operation' ? null : { kind: 'invalid', tool: name, args, message: error } }
  }
  if (kind === 'operation') {
    const { outcome, operationId, at, expects } = acknowledgement.parse(data)
    return { result: { kind, outcome, text, data: withoutHints(data), operationId, at }, happening: null, expects }
  }
  const read = { kind, outcome: 'read', text, data, operationId: null } as const
  if (kind === 'poll') {
    const { observed, at } = readings.parse(data)
    return { result: { ...read, at }, happening: { kind, values: Object.assign({}, ...observed.map(valuesOf)) } }
  }
  if (kind === 'document') {
    const { document, found, at } = retrieval.parse(data)
    return { result: { ...read, at }, happening: { kind: 'read', what: kind, document, found } }
  }
  const { at } = timed.parse(data)
  return { result: { ...read, at }, happening: { kind: 'read', what: kind, document: null, found: true } }
}

/** Per `tool.property`, as records name them. */
export function valuesOf(seen: { tool: string; properties: z.output<typeof properties> }): Record<string, Scalar> {
  return Object.fromEntries(
    Object.entries(seen.properties).map(([property, { value }]) => [`${seen.tool}.${property}`, value]),
  )
}

/** A read that brought nothing. Its record is that of the fault. */
export function failedRead(tools: readonly string[], reason: string, at: number): Outcome {
  const data = { notRead: [...tools], reason, at }
  const text = lines.fact(data)
  return { result: { kind: 'poll', outcome: 'failed', text, data, operationId: null, at }, happening: null }
}

/** A call that the door itself turns away. */
export function turnedAway(
  kind: CallResult['kind'],
  { name, args }: { name: string; args: JsonObject },
  error: string,
  at: number,
): Outcome {
  const data = { tool: name, error, at }
  return {
    result: { kind, outcome: 'invalid', text: lines.failure.write(data), data, operationId: null, at },
    happening: { kind: 'invalid', tool: name, args, message: error },
  }
}

/** The data say what the text says: how long an operation lasts is told by no surface. */
function withoutHints(data: JsonObject): Json {
  const { outcome: _outcome, expects: _expects, ...told } = data
  return told
}
