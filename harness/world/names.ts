import type { Condition, Effect, Scalar } from '../contract/index.js'
import type { OperationDeclared } from './live.js'

/** What stands for the `<names>` of a rule at one call: its arguments, and the entities that it brought into being. */
export type Names = Readonly<Record<string, Scalar>>

/** The declared name of a property that exists once per entity, e.g. `jobs[<job>].state`. */
export const PER_ENTITY = /^[a-zA-Z0-9_-]{1,32}\[<([a-zA-Z0-9_-]{1,32})>\]\.[a-zA-Z0-9_-]{1,32}$/

const NAME = /<([a-zA-Z0-9_-]+)>/g
const WHOLE = /^<([a-zA-Z0-9_-]+)>$/

/** The text with each `<name>` that is known replaced by what it stands for. */
export function fill(text: string, names: Names): string {
  return text.replaceAll(NAME, (whole, name: string) => String(valueIn(names, name) ?? whole))
}

function valueIn(names: Names, name: string): Scalar | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}

/** A value that is a `<name>` as a whole is what that stands for, of its own type. */
function fillValue(value: Scalar, names: Names): Scalar {
  const name = argumentIn(value)
  return name === null ? value : (valueIn(names, name) ?? value)
}

/** The argument that a value stands for; null for any other value. */
export function argumentIn(value: Scalar): string | null {
  return typeof value === 'string' ? (WHOLE.exec(value)?.[1] ?? null) : null
}

/** The entity that a property belongs to by its declared name, e.g. `job`; null: it exists once. */
export function entityIn(property: string): string | null {
  return PER_ENTITY.exec(property)?.[1] ?? null
}

export function fillCondition(condition: Condition, names: Names): Condition {
  return { ...condition, property: fill(condition.property, names), value: fillValue(condition.value, names) }
}

export function fillEffect(effect: Effect, names: Names): Effect {
  const property = fill(effect.property, names)
  return effect.kind === 'becomes'
    ? { ...effect, property, value: fillValue(effect.value, names) }
    : { ...effect, property }
}

/** The `<names>` in the rules of an operation, in the order of the text. */
export function namesIn({ requires, effects, completes }: OperationDeclared): string[] {
  const conditions = requires.flatMap(({ condition, otherwise }) =>
    otherwise === 'refuse' ? condition : [condition, otherwise.when],
  )
  const changes = [...effects, ...completes.flatMap((end) => end.effects)]
  const names = [...conditions, ...changes].flatMap((rule) => {
    const entities = [...rule.property.matchAll(NAME)].map(([, name = '']) => name)
    const argument = 'value' in rule ? argumentIn(rule.value) : null
    return argument === null ? entities : [...entities, argument]
  })
  return [...new Set(names)]
}
