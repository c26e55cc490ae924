import type { JsonObject, RecordOf, TraceRecord } from '../define/index.js'
import { toolOf } from '../trace/select.js'
import type { Call } from './artifacts.js'
import { CATALOGUE, DOCUMENT, POLL, SLEEP } from './tools.js'
import type { Toolset } from './tools.js'

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
