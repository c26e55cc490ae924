import { packVector } from './embedding.js'
import type { Embedded, EmbeddingModel, Vector } from './embedding.js'
import { charge, guardInstants, overspent } from './metered.js'
import type { ThinkingSeat } from './metered.js'

/**
 * A role's way to vectors. They are looked up, not thought: no virtual time passes. What the trial has
 * asked for is known; tokens and cost count against the trial's budgets, and what came of it stands in the trace.
 */
export function createEmbedder(
  model: EmbeddingModel,
  seat: Omit<ThinkingSeat, 'thinking' | 'random'>,
): (activity: string, texts: readonly string[]) => Promise<Vector[]> {
  const { clock, self, record, role, limits, ledger, exhausted } = seat
  const known = ledger.vectors
  const keyOf = (text: string): string => JSON.stringify([model.name, text])
  const guardInstant = guardInstants(seat, 'for embeddings')

  return async (activity, texts) => {
    if (clock.over) return new Promise(() => {})
    guardInstant()
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)))
    if (missing.length > 0) {
      const spent = overspent(ledger, limits)
      if (spent !== null) return exhausted(spent.limit, spent.value)
      const { value } = await self.think(async () => ({ value: await model.embed(missing), lastsMs: 0 }))
      if (value === null) throw new Error('An embedding was interrupted, and nothing could have done so.')
      land(activity, missing, value)
    }
    return texts.map((text) => known.get(keyOf(text)) ?? [])
  }

  function land(activity: string, texts: string[], embedded: Embedded): void {
    const { vectors, usage, retries } = embedded
    for (const [index, text] of texts.entries()) known.set(keyOf(text), vectors[index] ?? [])
    const costUsd = charge(ledger, model, embedded)
    const who = { role: role.name, activity }
    const hashes = texts.map((text) => ledger.pool(text, (hash) => record({ kind: 'text', hash, text }, who)))
    const packed = vectors.map(packVector)
    record({ kind: 'embedding', model: model.name, texts: hashes, vectors: packed, usage, retries, costUsd }, who)
  }
}
