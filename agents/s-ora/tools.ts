import { isObject } from '../../harness/kit/index.js'
import type { ToolSpec } from '../../harness/contract/index.js'
import { decline, waitCallJson } from './schemas.js'

/** The way out of an instruction that cannot be carried out; it never reaches a door. */
export const declineTool: ToolSpec = {
  kind: 'operation',
  name: decline.name,
  description: 'Carries out nothing and says why the instruction cannot be carried out.',
  parameters: decline.json,
  actions: [],
}

/** The verb by which an activity suspends itself where one call decides and acts; it never reaches a door. */
const waitTool: ToolSpec = {
  kind: 'wait',
  name: 'wait',
  description: 'Suspends until a signal arrives, a condition on a property holds, or the time is over. Costs nothing.',
  parameters: waitCallJson,
  actions: [],
}

/** What one call may decide: the door's tools, operations with the wait that begins at their acknowledgement, and to wait. */
export function fusedTools(tools: readonly ToolSpec[]): ToolSpec[] {
  const told = tools.map((tool): ToolSpec => {
    const { properties } = tool.parameters
    if (tool.kind !== 'operation' || !isObject(properties) || Object.hasOwn(properties, 'wait')) return tool
    return {
      ...tool,
      parameters: {
        ...tool.parameters,
        properties: {
          ...properties,
          wait: { ...waitCallJson, description: 'Suspends at the acknowledgement; absent: goes on' },
        },
      },
    }
  })
  return [...told, waitTool]
}
