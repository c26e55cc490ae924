import { hash } from 'node:crypto'

/** What the roles of one trial share: the count of calls, what they have spent, and the texts already recorded. */
export interface Ledger {
  calls: number
  /** Prompt and completion. */
  tokens: number
  /** Null until a call with a known price has landed. */
  costUsd: number | null
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
