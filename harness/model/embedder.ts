import type { Clock, Limits, Process, Recorder } from '../contract/index.js'
import { packVector } from './embedding.js'
import type { Embedded, EmbeddingModel, Vector } from './embedding.js'
import { overspent } from './metered.js'
import type { Ledger } from './metered.js'
import { costOf } from './prices.js'

const CALLS_PER_INSTANT = 1_000

export interface EmbedderOptions {
  model: EmbeddingModel
  clock: Clock
  self: Process
  record: Recorder
  role: string
  limits: Limits
  /** One per trial. */
  ledger: Ledger
  /** Records the limit, ends the trial and never settles. */
  exhausted: (limit: string, value: number) => Promise<never>
}

/**
 * A role's way to vectors. They are looked up, not thought: no virtual time passes. What the trial has
 * asked for is known; tokens and cost count against the trial's budgets, and what came of it stands in the trace.
 */
export function createEmbedder(
  options: EmbedderOptions,
): (activity: string, texts: readonly string[]) => Promise<Vector[]> {
  const { model, clock, self, record, role, limits, ledger, exhausted } = options
  const known = ledger.vectors
  const keyOf = (text: string): string => JSON.stringify([model.name, text])
  let instant = { at: -1, calls: 0 }

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

  function guardInstant(): void {
    if (instant.at !== clock.now()) instant = { at: clock.now(), calls: 0 }
    if (++instant.calls > CALLS_PER_INSTANT) {
      throw new Error(
        `${role} asked for embeddings ${CALLS_PER_INSTANT} times at ${clock.now()} ms: time does not move.`,
      )
    }
  }

  function land(activity: string, texts: string[], { vectors, usage, retries, recorded }: Embedded): void {
    for (const [index, text] of texts.entries()) known.set(keyOf(text), vectors[index] ?? [])
    const costUsd = recorded === undefined ? costOf(model.name, usage) : recorded.costUsd
    ledger.tokens += usage.promptTokens
    if (costUsd !== null) ledger.costUsd = (ledger.costUsd ?? 0) + costUsd
    const who = { role, activity }
    const hashes = texts.map((text) => ledger.pool(text, (hash) => record({ kind: 'text', hash, text }, who)))
    record(
      {
        kind: 'embedding',
        model: model.name,
        texts: hashes,
        vectors: vectors.map(packVector),
        usage,
        retries,
        costUsd,
      },
      who,
    )
  }
}
