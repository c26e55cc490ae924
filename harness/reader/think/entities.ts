import type { Json, JsonObject, Scalar } from '../../contract/index.js'
import type { Facts } from '../read/facts.js'
import type { Argument, OperationManual } from '../read/manual.js'
import { argumentIn, entityIn, fillText, keyIn } from '../read/names.js'
import type { Names } from '../read/names.js'
import type { Beliefs } from './beliefs.js'
import { allEffects } from './library.js'
import type { Library } from './library.js'
import type { Context } from './step.js'

/** The arguments of a call, and how many of them nothing in the prompt tells yet. */
interface Filled {
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

/**
 * The entities that the goal is about: of each kind that an operation brings into being, the latest whose stated origin
 * is what the reader would state itself, e.g. the job of the file that the goal quotes. Where nothing states an origin,
 * the latest that an own call brought. A goal may also quote the entity itself.
 */
export function entitiesOf(facts: Facts, library: Library, beliefs: Beliefs): Names {
  const kinds = new Set(library.operations.flatMap(({ creates }) => creates))
  const names: Record<string, Scalar> = {}
  for (const kind of kinds) {
    const creators = library.operations.filter(({ creates }) => creates.includes(kind))
    const known = keysOf(kind, facts, library)
    const mine = [...known].findLast(([key, own]) =>
      creators.some((creator) => couldBeMine({ facts, library, beliefs }, creator, { kind, key, own })),
    )
    const quoted = [...known.keys()].findLast((key) => facts.goal.literals.includes(key))
    const key = quoted ?? mine?.[0]
    if (key !== undefined) names[kind] = key
  }
  return names
}

/** All entities of a kind in the order of their mention, and whether an own call brought them. */
function keysOf(kind: string, { events }: Facts, library: Library): Map<string, boolean> {
  const keys = new Map<string, boolean>()
  for (const event of events) {
    if (event.kind === 'operated' && event.accepted) {
      const creates = library.operation(event.tool, event.action)?.creates.includes(kind) ?? false
      const key = event.about[kind]
      if (creates && key !== undefined) keys.set(String(key), true)
    }
    if (event.kind !== 'seen' || !event.property.includes('[')) continue
    for (const { tool, name } of library.properties) {
      const key = tool === event.tool && entityIn(name) === kind ? keyIn(event.property, name) : null
      if (key !== null && !keys.has(key)) keys.set(key, false)
    }
  }
  return keys
}

function couldBeMine(
  context: { facts: Facts; library: Library; beliefs: Beliefs },
  creator: OperationManual,
  { kind, key, own }: { kind: string; key: string; own: boolean },
): boolean {
  const origins = allEffects(creator).filter(
    ({ property, value }) => entityIn(property) === kind && argumentIn(value) !== null,
  )
  if (origins.length === 0) return own
  const { args } = fillArguments(context, creator)
  const known = origins.flatMap(({ tool, property, value }) => {
    const found = context.beliefs.value({ tool, property: fillText(property, { [kind]: key }) })
    return found === null ? [] : [found === args[argumentIn(value) ?? '']]
  })
  return known.length > 0 && known.every(Boolean)
}
