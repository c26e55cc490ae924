import type { Claim, JsonObject, ModelAnswer, ToolSpec } from '../../harness/contract/index.js'
import { readEnding } from '../../harness/kit/index.js'

type Answered = Extract<ModelAnswer, { status: 'answered' }>

/** What an answer of the model means: one call, the end, or something that cannot be carried out. */
export type Turn =
  | { kind: 'call'; id: string; tool: ToolSpec; name: string; args: JsonObject }
  | { kind: 'end'; claim: Claim; text: string }
  | { kind: 'malformed'; what: string; detail: string }

export function readTurn(answer: ModelAnswer, tools: readonly ToolSpec[]): Turn {
  if (answer.status === 'interrupted') return malformed('interrupted', 'The answer was interrupted.')
  if (answer.finish !== 'stop' && answer.finish !== 'tool_calls') {
    return malformed(answer.finish, `The answer ended early (${answer.finish}). Nothing of it was carried out.`)
  }
  return answer.toolCalls.length > 0 ? readCall(answer, tools) : readEnding(answer.text ?? '')
}

function readCall({ toolCalls }: Answered, tools: readonly ToolSpec[]): Turn {
  const [call, ...more] = toolCalls
  if (call === undefined) return malformed('empty', 'The answer was empty.')
  if (more.length > 0) {
    return malformed(
      'two_calls',
      `Call exactly one tool at a time: none of these ${toolCalls.length} calls was carried out.`,
    )
  }
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const known = tools.map(({ name }) => name).join(', ')
    return malformed('unknown_tool', `No tool named ${JSON.stringify(call.name)}. Known: ${known}.`)
  }
  const args = parseObject(call.arguments)
  if (args === null)
    return malformed('bad_arguments', 'The arguments are not one JSON object. Nothing was carried out.')
  return { kind: 'call', id: call.id, tool, name: call.name, args }
}

function malformed(what: string, detail: string): Turn {
  return { kind: 'malformed', what, detail }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
