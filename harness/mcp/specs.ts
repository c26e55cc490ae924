import { z } from 'zod'
import type { Json, JsonSchema, Surface, ToolSpec } from '../define/index.js'
import type { ListedTool } from './client.js'
import { inputShape } from './json.js'

export const sleepArguments = z.strictObject({
  ms: z.number().int().min(1).max(86_400_000).describe('How long, in milliseconds (at most one day)'),
})

const sleepShape = inputShape.parse(z.toJSONSchema(sleepArguments, { io: 'input' }))

/** A wait of the door, on the agent's side: no server sees it. */
const sleep: ToolSpec = {
  kind: 'sleep',
  name: 'sleep',
  description: 'Lets time pass without doing anything.',
  parameters: objectSchema(sleepShape),
  actions: [],
}

/** What a model may call on a surface. The uuid is the door's business. */
export function specsFor(surface: Surface, listed: readonly ListedTool[]): readonly ToolSpec[] {
  const polls = surface === 'poll'
  const specs = listed.filter((tool) => polls || tool.kind !== 'poll').map(specOf)
  return polls ? [...specs, sleep] : specs
}

function specOf({ kind, name, description, inputSchema, actions }: ListedTool): ToolSpec {
  const { uuid: _hidden, ...properties } = inputSchema.properties
  const required = inputSchema.required.filter((key) => key !== 'uuid')
  return { kind, name, description, parameters: objectSchema({ properties, required }), actions }
}

function objectSchema({ properties, required }: { properties: Record<string, Json>; required: string[] }): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
