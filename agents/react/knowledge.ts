import type { CallResult, JsonObject, Message } from '../../harness/contract/index.js'

/** What was discovered and read, for the conversations to come: nothing is read twice. */
export interface Knowledge {
  /** The tool exchanges that brought it, as they were. */
  exchanges(): Message[]
  keep(call: { name: string; args: JsonObject }, result: CallResult, exchange: readonly Message[]): void
}

export function createKnowledge(): Knowledge {
  const kept = new Map<string, readonly Message[]>()
  return {
    exchanges: () => [...kept.values()].flat(),
    keep({ name, args }, { kind, outcome, data }, exchange) {
      if ((kind !== 'catalogue' && kind !== 'document') || outcome !== 'read' || isMissing(data)) return
      const key = JSON.stringify([name, args])
      if (!kept.has(key)) kept.set(key, exchange)
    },
  }
}

function isMissing(data: CallResult['data']): boolean {
  return typeof data === 'object' && data !== null && 'found' in data && data['found'] === false
}
