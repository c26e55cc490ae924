import type { CallResult, JsonObject, Message } from '../../harness/contract/index.js'

/** What was discovered and read, for the conversations to come: nothing is read twice. */
export interface Knowledge {
  /** The tool exchanges that brought it, as they were. */
  exchanges(): Message[]
  /** False for what does not last, and for what is known. */
  keep(call: { name: string; args: JsonObject }, result: CallResult, exchange: readonly Message[]): boolean
  /** What the runtime has read by itself, as if the model had asked for it. */
  learn(read: readonly { name: string; args: JsonObject; result: CallResult }[]): void
}

export function createKnowledge(): Knowledge {
  const kept = new Map<string, readonly Message[]>()
  const knowledge: Knowledge = {
    exchanges: () => [...kept.values()].flat(),
    keep({ name, args }, { kind, outcome, data }, exchange) {
      if ((kind !== 'catalogue' && kind !== 'document') || outcome !== 'read' || isMissing(data)) return false
      const key = JSON.stringify([name, args])
      if (kept.has(key)) return false
      kept.set(key, exchange)
      return true
    },
    learn(read) {
      for (const [index, { name, args, result }] of read.entries()) {
        const id = `up-front-${index + 1}`
        const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } }
        knowledge.keep({ name, args }, result, [
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: id, content: result.text },
        ])
      }
    },
  }
  return knowledge
}

function isMissing(data: CallResult['data']): boolean {
  return typeof data === 'object' && data !== null && 'found' in data && data['found'] === false
}
