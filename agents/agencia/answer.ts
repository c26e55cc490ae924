import type { Claim, JsonObject, Message, ModelAnswer } from '../../harness/contract/index.js'
import { readEnding } from '../../harness/kit/index.js'
import { parseObject } from './input.js'
import type { Offer } from './offer.js'
import type { Unit } from './unit.js'

export interface CallOfModel {
  id: string
  unit: Unit
  input: JsonObject
}
/** What an answer of the model means: calls of agents, the end, or something that cannot be carried out. */
export type Read =
  | { kind: 'calls'; calls: CallOfModel[] }
  | { kind: 'end'; claim: Claim; text: string }
  | { kind: 'malformed'; what: string; detail: string }

/** All calls of an answer are good, or none is carried out. */
export function readAnswer(answer: ModelAnswer, offer: Offer): Read {
  if (answer.status === 'interrupted') return malformed('interrupted', 'The answer was interrupted.')
  if (answer.finish !== 'stop' && answer.finish !== 'tool_calls') {
    return malformed(answer.finish, `The answer ended early (${answer.finish}). Nothing of it was carried out.`)
  }
  if (answer.toolCalls.length === 0) return readEnding(answer.text ?? '')
  const calls: CallOfModel[] = []
  for (const { id, name, arguments: text } of answer.toolCalls) {
    const unit = offer.find(name)
    const offered = offer.tools()
    if (unit === null || !offered.some((tool) => tool.name === name)) {
      const known = offered.map((tool) => tool.name).join(', ')
      return malformed('unknown_tool', `No agent named ${JSON.stringify(name)}. Known: ${known}.`)
    }
    const input = parseObject(text)
    if (input === null)
      return malformed('bad_arguments', 'The arguments are not one JSON object. Nothing was carried out.')
    calls.push({ id, unit, input })
  }
  return { kind: 'calls', calls }
}

function malformed(what: string, detail: string): Read {
  return { kind: 'malformed', what, detail }
}

/** What the model said, as the conversation keeps it. */
export function said(answer: ModelAnswer): Message[] {
  if (answer.status === 'interrupted') return []
  const { text, toolCalls } = answer
  if (toolCalls.length === 0) return text === null || text === '' ? [] : [{ role: 'assistant', content: text }]
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }))
  return [{ role: 'assistant', content: text, tool_calls: calls }]
}

/** Why nothing was carried out. Every call needs its answer, else endpoints refuse the conversation. */
export function turnedDown(answer: ModelAnswer, detail: string): Message[] {
  const calls = answer.status === 'answered' ? answer.toolCalls : []
  if (calls.length === 0) return [{ role: 'user', content: detail }]
  return calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: JSON.stringify({ error: detail }) }))
}
