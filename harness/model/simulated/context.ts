import type { Beliefs } from './beliefs.js'
import type { Facts } from './facts.js'
import type { Intent, Verbs } from './intent.js'
import type { Library } from './library.js'
import type { Mind } from './traits.js'

/** All that a decision rests on. */
export interface Context {
  facts: Facts
  verbs: Verbs
  library: Library
  beliefs: Beliefs
  mind: Mind
  /** Where other goals may be worked on meanwhile: an impasse is only noted. */
  deferred: { impasse: boolean } | null
}

/** A step to take now; null: nothing is in the way. */
export type Step = Intent | null

/** When the last operation was called; it may have been refused. */
export function lastOperationAt({ facts }: Context): number {
  return facts.events.findLast(({ kind }) => kind === 'operated' || kind === 'failed')?.at ?? -1
}
