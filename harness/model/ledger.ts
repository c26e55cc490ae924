import { hash } from 'node:crypto'
import type { Limits } from '../define/index.js'
import type { Vector } from './embedding.js'

/** What the roles of one trial share: the count of calls, what they have spent, and the texts already recorded. */
export interface Ledger {
  calls: number
  /** Prompt and completion. */
  tokens: number
  /** Null until a call with a known price has landed. */
  costUsd: number | null
  /** By model and text. */
  vectors: Map<string, Vector>
  /** The hash of a text; `onNew` is called the first time it is met. */
  pool(text: string, onNew: (hash: string) => void): string
}

/** One per trial. */
export function createLedger(): Ledger {
  const hashes = new Map<string, string>()
  return {
    calls: 0,
    tokens: 0,
    costUsd: null,
    vectors: new Map(),
    pool(text, onNew) {
      const known = hashes.get(text)
      if (known !== undefined) return known
      const made = hash('sha256', text, 'hex').slice(0, 16)
      hashes.set(text, made)
      onNew(made)
      return made
    },
  }
}

/** The budget of tokens or money that is spent, if one is. */
export function overspent({ tokens, costUsd }: Ledger, limits: Limits): { limit: string; value: number } | null {
  if (tokens >= limits.tokens) return { limit: 'tokens', value: tokens }
  if (limits.costUsd !== null && costUsd !== null && costUsd >= limits.costUsd) {
    return { limit: 'costUsd', value: costUsd }
  }
  return null
}
