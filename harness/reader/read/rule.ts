import type { Condition, Scalar } from '../../contract/index.js'
import { entityIn } from './names.js'

export type Comparison = 'is' | 'is_not' | 'below' | 'above' | 'at_least' | 'at_most' | 'odd' | 'even' | 'remainder'

/** A condition as a text states it. What is null is left open by the text and bound later, by what manuals say. */
export interface Rule {
  tool: string | null
  property: string | null
  op: Comparison
  /** Of a `remainder`: what is left of a division by `modulus`. */
  value: Scalar
  modulus?: number
  unit: string | null
  /** What the text gives as its reason, or the words around it, with names masked. */
  prose: string
}
export interface BoundRule extends Rule {
  tool: string
  property: string
}

/** What an operation, or the end of its process, does to a property. */
export interface Effect {
  tool: string
  property: string
  kind: 'becomes' | 'rises' | 'falls'
  value: Scalar | null
  by: number | null
  /** Where a rise or a fall ends: above, or below, this. */
  bound: number | null
}

export function isBound(rule: Rule): rule is BoundRule {
  return rule.tool !== null && rule.property !== null
}

export function keyOf({ tool, property }: { tool: string; property: string }): string {
  return `${tool}\n${property}`
}

/** What stands for a rule in a draw: never a name. */
export function subjectOf({ op, value, unit, prose }: Rule): string {
  return `${op} ${String(value)} ${unit ?? ''} ${prose}`
}

export function satisfies(value: Scalar, { op, value: wanted, modulus }: Rule): boolean {
  switch (op) {
    case 'is':
      return String(value) === String(wanted)
    case 'is_not':
      return String(value) !== String(wanted)
    case 'odd':
      return Math.abs(Number(value) % 2) === 1
    case 'even':
      return Number(value) % 2 === 0
    case 'remainder':
      return Number(value) % Number(modulus) === Number(wanted)
    case 'below':
      return Number(value) < Number(wanted)
    case 'above':
      return Number(value) > Number(wanted)
    case 'at_least':
      return Number(value) >= Number(wanted)
    case 'at_most':
      break
  }
  return Number(value) <= Number(wanted)
}

/** Whether a value of which only a bound is known meets the rule; null: it cannot be told. */
export function boundSatisfies(bound: { above: number } | { below: number }, { op, value }: Rule): boolean | null {
  const wanted = Number(value)
  if ('above' in bound) {
    if (op === 'above' || op === 'at_least') return wanted <= bound.above ? true : null
    return (op === 'below' || op === 'at_most' || op === 'is') && wanted <= bound.above ? false : null
  }
  if (op === 'below' || op === 'at_most') return wanted >= bound.below ? true : null
  return (op === 'above' || op === 'at_least' || op === 'is') && wanted >= bound.below ? false : null
}

/** How far an effect serves a rule on the same property. */
export function serves(effect: Effect, rule: BoundRule): 'ensures' | 'helps' | null {
  if (effect.tool !== rule.tool || effect.property !== rule.property) return null
  if (effect.kind === 'becomes') return effect.value !== null && satisfies(effect.value, rule) ? 'ensures' : null
  const { bound, by } = effect
  const cycle = cycleOf(rule)
  if (cycle !== null) return by !== null && by % cycle !== 0 ? 'helps' : null
  const up = rule.op === 'above' || rule.op === 'at_least'
  const down = rule.op === 'below' || rule.op === 'at_most'
  if (!(effect.kind === 'rises' ? up : down)) return null
  if (bound === null) return 'helps'
  return boundSatisfies(effect.kind === 'rises' ? { above: bound } : { below: bound }, rule) === true
    ? 'ensures'
    : 'helps'
}

/** After how many numbers the rule holds again; null: it does not come round. */
function cycleOf({ op, modulus }: Rule): number | null {
  if (op === 'odd' || op === 'even') return 2
  return op === 'remainder' ? (modulus ?? null) : null
}

/** The rule as a wait can state it, where it can. */
export function asCondition({ tool, property, op, value }: BoundRule): Condition | null {
  if (entityIn(property) !== null) return null
  return op === 'is_not' || op === 'odd' || op === 'even' || op === 'remainder' ? null : { tool, property, op, value }
}
