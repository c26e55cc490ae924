import { z } from 'zod'
import type { JsonObject, RecordOf, Trace, TraceRecord } from '../../contract/index.js'
import { recordsOf, toolOf } from '../records.js'
import type { Call } from './artifacts.js'

/** What every world's door calls its read-only tools (docs/wire.md); records name their kind alone. */
export const CATALOGUE = 'system_discovery'
export const DOCUMENT = 'manual_retrieval'
export const POLL = 'read_properties'
export const SLEEP = 'sleep'

const offered = z.array(
  z.object({
    function: z.object({
      name: z.string(),
      parameters: z.object({
        properties: z.object({ action: z.object({ enum: z.array(z.string()) }).optional() }).default({}),
      }),
    }),
  }),
)

/** T of an activity: its functions by name, `tool.action` where a tool aggregates operations. */
interface Toolset {
  /** In the order of the first request that offered tools; what was called without being offered follows in the order of its first call. */
  readonly names: readonly string[]
  /** The index from 1 of what a record calls `tool`, with its `action` if it has one. */
  index(tool: string, action: string | null): number
  /** Is `action` an argument of this tool like any other? */
  isPlain(tool: string): boolean
}

export function toolsetOf(trace: Trace, activity: string): Toolset {
  const names = firstOffer(trace, activity)
  const plain = new Set([CATALOGUE, DOCUMENT, POLL, SLEEP, ...names])
  const known = new Map(names.map((name, index) => [name, index + 1]))
  return {
    names,
    isPlain: (tool) => plain.has(tool),
    index(tool, action) {
      const name = action === null || action === '' ? tool : `${tool}.${action}`
      const index = known.get(name) ?? names.push(name)
      known.set(name, index)
      return index
    },
  }
}

function firstOffer(trace: Trace, activity: string): string[] {
  const request = recordsOf(trace, 'request').find((record) => record.activity === activity && record.tools !== null)
  const text = recordsOf(trace, 'text').find(({ hash }) => hash === request?.tools)?.text
  if (text === undefined) return []
  const parsed = offered.safeParse(parse(text))
  if (!parsed.success) return []
  const names = parsed.data.flatMap(({ function: { name, parameters } }) => {
    const actions = parameters.properties.action?.enum
    return actions === undefined ? [name] : actions.map((action) => `${name}.${action}`)
  })
  return [...new Set(names)]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The call that a record tells of, null for every other record. Its query and result are what the record holds: a
 * trace keeps neither the arguments of a poll (the tools whose values came back stand for them) nor a document's text.
 */
export function callOf(
  record: TraceRecord,
  tools: Toolset,
  acknowledgements: ReadonlyMap<string, RecordOf<'acknowledgement'>>,
): Call | null {
  if (record.kind === 'operation') {
    const ack = acknowledgements.get(record.op)
    const r = ack === undefined ? null : { outcome: ack.outcome, message: ack.message, rule: ack.rule }
    return { tool: tools.index(record.tool, record.action), q: record.args, r }
  }
  if (record.kind === 'read') {
    return record.what === 'catalogue'
      ? { tool: tools.index(CATALOGUE, null), q: {}, r: { found: record.found } }
      : { tool: tools.index(DOCUMENT, null), q: { document: record.document }, r: { found: record.found } }
  }
  if (record.kind === 'poll') {
    const asked = [...new Set(Object.keys(record.values).map(toolOf))]
    return { tool: tools.index(POLL, null), q: { tools: asked }, r: record.values }
  }
  if (
    record.kind === 'read_fault' &&
    record.by === 'poll' &&
    (record.what === 'failed' || record.what === 'timed_out')
  ) {
    return { tool: tools.index(POLL, null), q: { tools: record.tools }, r: { failed: true } }
  }
  if (record.kind === 'sleep') {
    return { tool: tools.index(SLEEP, null), q: { ms: record.delayMs }, r: { slept: record.delayMs } }
  }
  return record.kind === 'invalid' ? invalid(record, tools) : null
}

function invalid({ tool, args, message }: RecordOf<'invalid'>, tools: Toolset): Call | null {
  // The runtime of an agent may focus what does not exist; that was no call.
  if (message === `No tool named "${tool}" to focus.`) return null
  const r: JsonObject = { invalid: message }
  const { action, ...rest } = args
  return tools.isPlain(tool) || typeof action !== 'string'
    ? { tool: tools.index(tool, null), q: args, r }
    : { tool: tools.index(tool, action), q: rest, r }
}
