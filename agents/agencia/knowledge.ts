import type { Message } from '../../harness/contract/index.js'
import type { CallOfModel } from './answer.js'

/** What was discovered and read, for the conversations to come: nothing is read twice. */
export interface Knowledge {
  /** The calls that brought it, with what they brought. */
  exchanges(): Message[]
  /** False for what is known. */
  keep(call: CallOfModel, content: string): boolean
}

export function createKnowledge(): Knowledge {
  const kept = new Map<string, Message[]>()
  return {
    exchanges: () => [...kept.values()].flat(),
    keep({ id, unit: { name }, input }, content) {
      const args = JSON.stringify(input)
      const call = { id, type: 'function' as const, function: { name, arguments: args } }
      const key = `${name} ${args}`
      if (kept.has(key)) return false
      kept.set(key, [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content },
      ])
      return true
    },
  }
}
