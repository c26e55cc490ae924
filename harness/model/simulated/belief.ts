import type { Scalar } from '../../define/index.js'
import type { Library } from './library.js'
import { boundSatisfies, satisfies } from './rule.js'
import type { BoundRule, Effect, Rule } from './rule.js'

/** What is thought of one property. */
export interface Belief {
  value: Scalar | null
  bound: { above: number } | { below: number } | null
  /** What a refusal has shown not to hold. */
  denied: Rule[]
}

export type Status = 'holds' | 'fails' | 'unknown'

export function after(effect: Effect, before: Belief | undefined): Belief {
  const { kind, by, value } = effect
  if (kind === 'becomes') return { value, bound: null, denied: [] }
  if (by !== null && before?.value !== null && before?.value !== undefined) {
    const sum = Number(before.value) + (kind === 'rises' ? by : -by)
    return { value: sum, bound: null, denied: [] }
  }
  return { value: null, bound: null, denied: [] }
}

export const endOf = ({ kind }: Effect, bound: number) => (kind === 'rises' ? { above: bound } : { below: bound })

export function told({ op, value }: Rule): Belief {
  const none: Belief = { value: null, bound: null, denied: [] }
  if (op === 'is') return { ...none, value }
  if (op === 'above' || op === 'at_least') return { ...none, bound: { above: Number(value) } }
  return op === 'below' || op === 'at_most' ? { ...none, bound: { below: Number(value) } } : none
}

export function statusOf(rule: BoundRule, belief: Belief | undefined, library: Library): Status {
  if (belief === undefined) return 'unknown'
  if (belief.value !== null) return satisfies(belief.value, rule) ? 'holds' : 'fails'
  if (belief.bound !== null) {
    const meets = boundSatisfies(belief.bound, rule)
    return meets === null ? 'unknown' : meets ? 'holds' : 'fails'
  }
  const open = (library.property(rule)?.values ?? []).filter(
    (value) => !belief.denied.some((not) => satisfies(value, not)),
  )
  if (belief.denied.length > 0 && open.length === 1 && open[0] !== undefined)
    return satisfies(open[0], rule) ? 'holds' : 'fails'
  return belief.denied.some(({ op, value }) => op === rule.op && value === rule.value) ? 'fails' : 'unknown'
}
