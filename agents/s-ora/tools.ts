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
