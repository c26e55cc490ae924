import type { Scalar } from '../../define/index.js'
import type { Dated } from './facts.js'
import { laterEffects } from './library.js'
import type { OperationManual } from './manual.js'
import { keyOf, serves } from './rule.js'
import type { BoundRule, Effect } from './rule.js'

/** A latent process that the reader started itself. */
export interface Process {
  operation: OperationManual
  operationId: string | null
  /** Earlier accepted calls of the operation. */
  earlier: number
  startedAt: number
  /** When it was seen, or signalled, to have ended; null while it is pending. */
  endedAt: number | null
  /** Where what it changes by a stated number stood before, by key. */
  before: ReadonlyMap<string, Scalar>
  /** What its completions change, by key: only there can its end be seen. */
  tells: ReadonlySet<string>
}

export const tellsOf = ({ completions }: OperationManual): ReadonlySet<string> =>
  new Set(completions.flatMap(({ effects }) => effects.map(keyOf)))

/** Does a value show that the operation is under way, and will it bring the rule about? */
export function leadsFrom({ effects, completions }: OperationManual, rule: BoundRule, now: Scalar): boolean {
  const meanwhile = effects.some((each) => keyOf(each) === keyOf(rule) && each.kind === 'becomes' && each.value === now)
  return meanwhile && completions.some((end) => end.effects.some((effect) => serves(effect, rule) !== null))
}

/** Is it a rise or fall of no stated end, of the same property? */
export function drifts({ operation }: Process, effect: Effect): boolean {
  return operation.completions.length === 0 && laterEffects(operation).some((each) => keyOf(each) === keyOf(effect))
}

/** Does what is seen show that a process has ended: by one of its ends, or by a state that is none of its own? */
export function shows({ operation, startedAt, before }: Process, event: Extract<Dated, { kind: 'seen' }>): boolean {
  if (event.at < startedAt) return false
  const moved = Number(event.value) - Number(before.get(keyOf(event)))
  const ends = operation.completions.flatMap(({ effects }) => effects.filter((each) => keyOf(each) === keyOf(event)))
  if (ends.some(({ kind, by }) => by !== null && (kind === 'rises' ? moved >= by : -moved >= by))) return true
  const becoming = ends.filter(({ kind }) => kind === 'becomes')
  if (becoming.some(({ value }) => value !== null && String(value) === String(event.value))) return true
  const meanwhile = operation.effects.filter((each) => keyOf(each) === keyOf(event) && each.kind === 'becomes')
  return (
    becoming.length > 0 && meanwhile.length > 0 && !meanwhile.some(({ value }) => String(value) === String(event.value))
  )
}
