import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Behaviour, Json, Trace } from '../define/index.js'
import { artifactsOf } from './artifacts.js'
import { interactionsOf } from './interaction.js'
import type { Interaction } from './interaction.js'
import { pathOf } from './path.js'
import { wellFormed } from './well-formed.js'

/** What the agents of a trial did; null where no activity is in the trace. */
export function behaviourOf(trace: Trace): Behaviour | null {
  const interactions = interactionsOf(trace)
  if (interactions.length === 0) return null
  return {
    structural: joined(interactions.map(structuralHash)),
    full: joined(interactions.map(fullHash)),
    path: pathOf(interactions),
  }
}

/** Of (T, σ): which functions were called in which order and cycle, and nothing of what was said. */
export function structuralHash({ tools, cycles }: Interaction): string {
  return hash({ tools, sigma: artifactsOf(cycles).sigma })
}

/** Of all four artifacts, and of T, since σ holds indices alone: it refines the structural hash. */
export function fullHash({ tools, cycles }: Interaction): string {
  return hash({ tools, ...artifactsOf(cycles) })
}

function joined(hashes: readonly string[]): string {
  const [only] = hashes
  return hashes.length === 1 && only !== undefined ? only : hash(hashes)
}

/** SHA-256 of canonical JSON (RFC 8785). */
function hash(value: Json): string {
  return createHash('sha256')
    .update(canonicalize(wellFormed(value)) ?? '')
    .digest('hex')
}
