import type { Scalar } from '../../define/index.js'
import { fillArguments } from './arguments.js'
import type { Beliefs } from './beliefs.js'
import type { Facts } from './facts.js'
import { allEffects } from './library.js'
import type { Library } from './library.js'
import type { OperationManual } from './manual.js'
import { argumentIn, entityIn, fillText, keyIn, type Names } from './names.js'

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
