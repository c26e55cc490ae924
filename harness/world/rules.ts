import type { Condition, Effect, Requirement, Scalar } from '../contract/index.js'
import type { OperationDeclared } from './live.js'

const COMPARED: Record<Condition['op'], { words: string; holds(value: Scalar, bound: Scalar): boolean }> = {
  is: { words: 'is', holds: (value, bound) => value === bound },
  below: { words: 'is below', holds: (value, bound) => areNumbers(value, bound) && value < bound },
  above: { words: 'is above', holds: (value, bound) => areNumbers(value, bound) && value > bound },
  at_least: { words: 'is at least', holds: (value, bound) => areNumbers(value, bound) && value >= bound },
  at_most: { words: 'is at most', holds: (value, bound) => areNumbers(value, bound) && value <= bound },
}

/** Whether a property that has `value` meets the condition. Only numbers are above or below anything. */
export function holds(condition: Condition, value: Scalar): boolean {
  return COMPARED[condition.op].holds(value, condition.value)
}

/** The words for a condition in manuals and refusals (docs/wire.md). */
export function conditionWords({ tool, property, op, value, unit }: Condition): string {
  return `\`${property}\` of \`${tool}\` ${COMPARED[op].words} ${quantity(value, unit)}`
}

/** The same with the reason behind it: one line for the reader and for whoever is refused. */
export function requirementWords({ condition, reason }: Requirement): string {
  return reason === undefined ? conditionWords(condition) : `${conditionWords(condition)} (${reason})`
}

/** `tool` is the tool whose manual is printed: its own properties go without its name. */
export function effectWords(effect: Effect, tool: string): string {
  const owner = effect.tool === tool ? '' : ` of \`${effect.tool}\``
  return `\`${effect.property}\`${owner} ${effect.kind} ${outcomeWords(effect)}`.trimEnd()
}

function outcomeWords(effect: Effect): string {
  if (effect.kind === 'becomes') return quantity(effect.value)
  const { by, above, below, unit } = effect
  const parts = Object.entries({ by, above, below }).flatMap(([word, value]) =>
    value === undefined ? [] : [`${word} ${quantity(value, unit)}`],
  )
  return parts.join(' ')
}

/** What holds once the effect has come about; null where it sets no bound. */
function effectCondition(effect: Effect): Condition | null {
  const { tool, property } = effect
  if (effect.kind === 'becomes') return { tool, property, op: 'is', value: effect.value }
  const unit = effect.unit === undefined ? {} : { unit: effect.unit }
  if (effect.above !== undefined) return { tool, property, op: 'above', value: effect.above, ...unit }
  if (effect.below !== undefined) return { tool, property, op: 'below', value: effect.below, ...unit }
  return null
}

function quantity(value: Scalar, unit?: string): string {
  return unit === undefined ? `\`${value}\`` : `\`${value}\` ${unit}`
}

function areNumbers(...values: Scalar[]): boolean {
  return values.every((value) => typeof value === 'number')
}

/**
 * What holds when a signal fires, from the completions that it ends. Where it ends several operations, only what holds
 * whichever of them it was.
 */
export function completionConditions(signal: string, operations: readonly OperationDeclared[]): Condition[] {
  const ends = operations
    .flatMap(({ completes }) => completes.filter((end) => end.signal === signal))
    .map(({ effects }) => effects.map(effectCondition).filter((condition) => condition !== null))
  const [first = new Map<string, Condition>(), ...others] = ends.map(
    (conditions) => new Map(conditions.map((each) => [conditionWords(each), each])),
  )
  return [...first].flatMap(([words, condition]) => (others.every((end) => end.has(words)) ? [condition] : []))
}
