import { UserError } from '../../harness/contract/index.js'
import type { JsonSchema, ToolSpec } from '../../harness/contract/index.js'
import type { Unit } from './unit.js'

/** The agents of one conversation: the registered ones, and each tool of the world as a plain one. */
export interface Offer {
  find(name: string): Unit | null
  /** As tools for the model, in their order: the world's first. */
  tools(): ToolSpec[]
  /** From now on the model may call it, too. */
  suggest(unit: Unit): void
  names(): string
}

export function openOffer(registered: readonly Unit[], tools: readonly ToolSpec[]): Offer {
  const specs = new Map(tools.map((tool) => [tool.name, tool]))
  for (const { name, tool } of registered) {
    if (tool === null || specs.has(tool.name)) continue
    throw new UserError(
      `The agent "${name}" of the registry wraps the tool "${tool.name}", which this world does not have. Known: ${[...specs.keys()].join(', ')}.`,
    )
  }
  const plain = tools.map(({ name }): Unit => ({
    name,
    summary: '',
    offered: true,
    tool: { name, args: null },
    replies: [],
  }))
  const units = new Map([...plain, ...registered].map((unit) => [unit.name, unit]))
  const offered = new Set([...units.values()].filter((unit) => unit.offered).map(({ name }) => name))
  return {
    find: (name) => units.get(name) ?? null,
    tools: () => [...units.values()].filter(({ name }) => offered.has(name)).map((unit) => specOf(unit, specs)),
    suggest: ({ name }) => void offered.add(name),
    names: () => [...units.keys()].join(', '),
  }
}

function specOf({ name, summary, tool }: Unit, specs: ReadonlyMap<string, ToolSpec>): ToolSpec {
  const wrapped = tool === null ? undefined : specs.get(tool.name)
  // Words alone change nothing: that is closest to reading.
  if (wrapped === undefined) return { kind: 'document', name, description: summary, parameters: TOLD, actions: [] }
  // The lines of the actions stay: they are how to call it.
  const [own = '', ...actions] = wrapped.description.split('\n')
  const told = summary === '' ? own : summary
  if (tool?.args !== null) return { ...wrapped, name, description: told, parameters: UNASKED, actions: [] }
  return { ...wrapped, name, description: [told, ...actions].join('\n') }
}

const UNASKED: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
const TOLD: JsonSchema = {
  ...UNASKED,
  properties: { input: { type: 'string', description: 'What to tell the agent' } },
}
