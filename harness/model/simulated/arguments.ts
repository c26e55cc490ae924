import type { Json, JsonObject } from '../../define/index.js'
import type { Context } from './context.js'
import { allEffects } from './library.js'
import type { Argument, OperationManual } from './manual.js'

/** The arguments of a call, and how many of them nothing in the prompt tells yet. */
export interface Filled {
  args: JsonObject
  missing: number
}

/** Placeholders come from facts tables, else from the goal's one literal; what the caller chooses, from the goal or from what it would change. */
export function fillArguments(
  context: Pick<Context, 'facts' | 'library' | 'beliefs'>,
  operation: OperationManual,
): Filled {
  const literals = [...context.facts.goal.literals]
  const args: Record<string, Json> = {}
  let missing = 0
  for (const argument of operation.args) {
    const value = valueOf(argument, context, operation, literals)
    if (value !== null) args[argument.name] = value
    else if (argument.source === 'placeholder') missing += 1
  }
  return { args, missing }
}

function valueOf(
  argument: Argument,
  context: Parameters<typeof fillArguments>[0],
  operation: OperationManual,
  literals: string[],
): Json {
  if (argument.source === 'literal') return argument.value
  // Which entity is meant is no matter of choice: where it is not known yet, there is none.
  if (argument.source === 'entity') return null
  if (argument.source === 'placeholder') return context.library.fact(argument.key) ?? literals.shift() ?? null
  const numeric = argument.type === 'integer' || argument.type === 'number'
  const stated = literals.findIndex((literal) => !numeric || Number.isFinite(Number(literal)))
  const [literal] = stated === -1 ? [] : literals.splice(stated, 1)
  if (literal !== undefined) return numeric ? Number(literal) : literal
  // A call that must name the value it builds on names the last one seen.
  const [changed] = allEffects(operation)
  const value = changed === undefined ? null : context.beliefs.value(changed)
  return typeof value === (numeric ? 'number' : argument.type) ? value : null
}
