import { z } from 'zod'
import type { Json, JsonSchema, Surface, ToolSpec } from '../contract/index.js'
import type { ListedTool } from './client.js'
import { inputShape } from './json.js'

export const sleepArguments = z.strictObject({
  ms: z.number().int().min(1).max(86_400_000).describe('How long, in milliseconds (at most one day)'),
})

export const waitArguments = z.strictObject({
  signals: z.array(z.string()).default([]).describe('Names of signals; any of them ends the wait'),
  when: z
    .strictObject({
      tool: z.string(),
      property: z.string(),
      op: z.enum(['is', 'below', 'above', 'at_least', 'at_most']),
      value: z.union([z.string(), z.number(), z.boolean()]),
    })
    .nullable()
    .default(null)
    .describe('A condition on a property that ends the wait as well'),
  timeoutMs: z.number().int().min(1).max(86_400_000).describe('Ends the wait in any case (ms, at most one day)'),
})

const sleepShape = inputShape.parse(z.toJSONSchema(sleepArguments, { io: 'input' }))

/** Waits of the door, on the agent's side: no server sees them. */
const waiting: ToolSpec = {
  kind: 'wait',
  name: 'wait_for',
  description:
    'Waits until a signal arrives, a condition on a property holds, or the time is over. Signals that have not been shown yet end it at once; all of them are shown.',
  parameters: objectSchema(inputShape.parse(z.toJSONSchema(waitArguments, { io: 'input' }))),
  actions: [],
}
const sleep: ToolSpec = {
  kind: 'sleep',
  name: 'sleep',
  description: 'Lets time pass without doing anything.',
  parameters: objectSchema(sleepShape),
  actions: [],
}

/** What a model may call on a surface. The uuid is the door's business. */
export function specsFor(surface: Surface, listed: readonly ListedTool[]): readonly ToolSpec[] {
  const { reads, waits } = OFFERS[surface]
  return [...listed.filter((tool) => reads || tool.kind !== 'poll').map(specOf), ...waits]
}

const OFFERS: Readonly<Record<Surface, { reads: boolean; waits: readonly ToolSpec[] }>> = {
  act: { reads: false, waits: [] },
  block: { reads: false, waits: [] },
  poll: { reads: true, waits: [sleep] },
  await: { reads: true, waits: [sleep, waiting] },
  async: { reads: true, waits: [] },
  push: { reads: false, waits: [] },
}

function specOf({ kind, name, description, inputSchema, actions }: ListedTool): ToolSpec {
  const { uuid: _hidden, ...properties } = inputSchema.properties
  const required = inputSchema.required.filter((key) => key !== 'uuid')
  return { kind, name, description, parameters: objectSchema({ properties, required }), actions }
}

function objectSchema({ properties, required }: { properties: Record<string, Json>; required: string[] }): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
