import type { JsonObject, ModelAnswer, ToolSpec } from '../../harness/contract/index.js'
import { parse } from './dialogue.js'
import type { Read } from './dialogue.js'

export interface Call {
  tool: ToolSpec
  args: JsonObject
}

/** The one call that an action may be. */
export function readCall(
  { toolCalls }: Extract<ModelAnswer, { status: 'answered' }>,
  tools: readonly ToolSpec[],
): Read<Call> {
  const [asked, ...more] = toolCalls
  if (asked === undefined) return { ok: false, what: 'no_call', detail: 'The answer calls no tool.' }
  if (more.length > 0) return { ok: false, what: 'two_calls', detail: `The answer calls ${toolCalls.length} tools.` }
  const tool = tools.find(({ name }) => name === asked.name)
  if (tool === undefined) {
    const known = tools.map(({ name }) => name).join(', ')
    return { ok: false, what: 'unknown_tool', detail: `No tool named ${JSON.stringify(asked.name)}. Known: ${known}.` }
  }
  const args = parse(asked.arguments)
  if (!isObject(args)) {
    return { ok: false, what: 'bad_arguments', detail: 'The arguments are not one JSON object.' }
  }
  return { ok: true, value: { tool, args } }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
