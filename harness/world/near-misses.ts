import type { Condition, DocumentDeclaration, Effect, ManualDeclaration, Random, Scalar } from '../contract/index.js'
import type { OperationDeclared, ToolDeclaration } from './live.js'
import { renderManual, sourceOf } from './manual.js'
import type { Source } from './manual.js'

type Tools = ReadonlyMap<string, ToolDeclaration>

/** Where the other plants stand, as ids and summaries name it. */
const PLACES = ['north', 'south', 'east', 'west', 'upper', 'lower', 'old', 'new', 'inner', 'outer'] as const

/**
 * The documents of a world, and among them manuals of other plants: in the words of this one's manuals, for tools that
 * are not here, with rules that are false here. Drawn from the scenario, so that all agents meet the same.
 */
export function withNearMisses(
  documents: ReadonlyMap<string, DocumentDeclaration>,
  { count, tools, random }: { count: number; tools: Tools; random: Random },
): Source[] {
  const listed = [...documents].map(([id, declaration]) => sourceOf(id, declaration, tools))
  const manuals = [...documents].flatMap(([id, declaration]) =>
    declaration.kind === 'manual' &&
    declaration.covers.some(({ name }) => (tools.get(name)?.operations.length ?? 0) > 0)
      ? [[id, declaration] as const]
      : [],
  )
  const models = random.stream('near-miss', 'models').shuffle(manuals)
  const places = random.stream('near-miss', 'places').shuffle(PLACES)
  for (let index = 0; index < (models.length === 0 ? 0 : count); index++) {
    const [id, manual] = models[index % models.length] ?? []
    const round = Math.floor(index / models.length)
    const place = `${places[round % places.length]}${round < places.length ? '' : Math.floor(round / places.length) + 1}`
    if (id === undefined || manual === undefined) continue
    const at = random.stream('near-miss', 'position', index).integer(0, listed.length)
    listed.splice(at, 0, twinOf(id, manual, { place, tools }))
  }
  return listed
}

function twinOf(id: string, manual: ManualDeclaration, { place, tools }: { place: string; tools: Tools }): Source {
  const named = (tool: string): string => (tools.has(tool) ? `${tool}_${place}` : tool)
  const retold = (text: string): string => text.replaceAll(/`([^`]+)`/g, (_, name: string) => `\`${named(name)}\``)
  const covered = manual.covers.flatMap(({ name }) => tools.get(name) ?? [])
  const suffix = `, ${place} plant`
  return {
    id: `${id}_${place}`,
    summary: manual.summary.replace(/\.?$/, `${suffix}.`),
    covers: covered.map(({ name }) => named(name)),
    render: () =>
      renderManual(
        {
          ...manual,
          title: `${manual.title}${suffix}`,
          description: retold(manual.description),
          protocol: manual.protocol.map((rule) => withOtherNumbers(retold(rule))),
          ...(manual.integration !== undefined && { integration: retold(manual.integration) }),
          // What only this plant knows, e.g. its credentials, is not told by another.
          facts: [],
        },
        covered.map((tool) => twinTool(tool, { named, tools })),
      ),
  }
}

interface Plant {
  named: (tool: string) => string
  tools: Tools
}

function twinTool(tool: ToolDeclaration, plant: Plant): ToolDeclaration {
  const { named, tools } = plant
  const falsified = tool.operations.some(({ requires }) => requires.length > 0)
  const moved = <T extends Condition | Effect>(of: T): T => ({ ...of, tool: named(of.tool) })
  const otherRule = (of: Condition): Condition => ({ ...moved(of), value: otherValue(of, tools) })
  const otherEffect = (effect: Effect): Effect => {
    const { tool: owner, property } = effect
    if (falsified) return moved(effect)
    if (effect.kind === 'becomes')
      return { ...moved(effect), value: otherValue({ tool: owner, property, value: effect.value }, tools) }
    return { ...moved(effect), ...(effect.by !== undefined && { by: effect.by * 2 }) }
  }
  const operation = (of: OperationDeclared): OperationDeclared => ({
    ...of,
    requires: of.requires.map((each) => ({ ...each, condition: otherRule(each.condition) })),
    effects: of.effects.map(otherEffect),
    completes: of.completes.map((each) => ({
      ...each,
      tool: named(each.tool),
      effects: each.effects.map(otherEffect),
    })),
  })
  return {
    ...tool,
    name: named(tool.name),
    operations: tool.operations.map(operation),
    signals: tool.signals.map((signal) => ({ ...signal, when: signal.when.map(moved) })),
  }
}

/** A value that the property can take as well, and that is not the one that counts here. */
function otherValue(
  { tool, property, value }: { tool: string; property: string; value: Scalar },
  tools: Tools,
): Scalar {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value === 0 ? 1 : value * 2
  const type = tools.get(tool)?.properties.find(({ name }) => name === property)?.type
  const listed = type !== undefined && 'options' in type && Array.isArray(type.options) ? type.options : []
  return listed.find((each): each is string => typeof each === 'string' && each !== value) ?? value
}

const withOtherNumbers = (text: string): string =>
  text.replaceAll(/(?<![`\w.])\d+(?:\.\d+)?(?![`\w])/g, (digits) => String(Number(digits) * 2))
