import { isObject } from '../../harness/kit/index.js'
import type { ToolSpec } from '../../harness/contract/index.js'
import type { Activity, Agent } from './activity.js'
import { decline } from './schemas.js'

/** The way out of an instruction that cannot be carried out; it never reaches a door. */
export const declineTool: ToolSpec = {
  kind: 'operation',
  name: decline.name,
  description: 'Carries out nothing and says why the instruction cannot be carried out.',
  parameters: decline.json,
  actions: [],
}

/** What one call may decide: the door's tools, operations with the wait that begins at their acknowledgement, and to wait. */
export function fusedTools({ door }: Activity): ToolSpec[] {
  const waits = door.verbs.filter(({ kind }) => kind === 'wait')
  const [{ parameters: condition } = declineTool] = waits
  const wait = { ...condition, description: 'Suspends you at the acknowledgement; absent: you go on' }
  const told = door.tools().map((tool): ToolSpec => {
    const { properties } = tool.parameters
    if (tool.kind !== 'operation' || !isObject(properties) || Object.hasOwn(properties, 'wait')) return tool
    return { ...tool, parameters: { ...tool.parameters, properties: { ...properties, wait } } }
  })
  return [...told, ...waits]
}

/** What an ACTION may call: the door's tools, and of its verbs those that are not decisions of a phase. */
export function toolsOf({ door }: Activity, { context }: Agent): ToolSpec[] {
  const { situating, waitDecided } = context.params
  const called = door.verbs.filter(({ kind }) => (kind === 'wait' ? waitDecided === 'called' : situating === 'calls'))
  return [...door.tools(), ...called]
}

/** Calls that are neither operations nor of documents: the verbs of the surface. */
export function verbsOf(activity: Activity, agent: Agent): ToolSpec[] {
  return toolsOf(activity, agent).filter(({ kind }) => !SHARED.has(kind))
}
const SHARED: ReadonlySet<ToolSpec['kind']> = new Set(['operation', 'catalogue', 'document'])
