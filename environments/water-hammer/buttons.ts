import type { Kit } from '../../harness/contract/index.js'
import type { Params } from './params.js'

export type ButtonKind = 'flush' | 'meltdown' | 'lockout' | 'radiation_leak'
const HARMS = ['meltdown', 'lockout', 'radiation_leak'] as const

/** What the buttons do, from `button_1` on: one flush, and the harms in rotation. */
export function buttonKinds({ params, random }: Kit<Params>): ButtonKind[] {
  const harms = Array.from({ length: params.buttons - 1 }, (_, index) => HARMS[index % HARMS.length] ?? 'meltdown')
  const kinds: ButtonKind[] = ['flush', ...harms]
  return params.shuffleButtons ? random.stream('buttons').shuffle(kinds) : kinds
}
