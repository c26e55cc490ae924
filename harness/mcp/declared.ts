import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { LiveWorld, ToolDeclaration } from '../world/live.js'
import { argumentsSchema, queries } from './queries.js'

/** Where a tool says, beside what the protocol has a place for, what it is for and what its actions are. */
export const KIND = 'sora-bench/kind'
export const ACTIONS = 'sora-bench/actions'

const cache = new WeakMap<LiveWorld['tools'], Tool[]>()

/** The MCP tools of a world: one per artifact that has operations, then the read-only ones. */
export function declaredTools(tools: LiveWorld['tools']): Tool[] {
  const known = cache.get(tools)
  if (known !== undefined) return known
  checkNames(tools)
  const declared = [
    ...tools.filter((tool) => tool.operations.length > 0).map(operationTool),
    ...queries.map(({ kind, name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: true },
      _meta: { [KIND]: kind, [ACTIONS]: [] },
    })),
  ]
  cache.set(tools, declared)
  return declared
}

function operationTool({ name, summary, operations }: ToolDeclaration): Tool {
  const action = { type: 'string', enum: operations.map((operation) => operation.name) }
  const actions = operations.map((operation) => ({ name: operation.name, summary: operation.summary }))
  const own = unionOfArguments(operations.map(({ args }) => args))
  return {
    name,
    description: [summary, ...actions.map((one) => `- ${one.name}: ${one.summary}`)].join('\n'),
    inputSchema: argumentsSchema({ properties: { action, ...own }, required: ['action'] }),
    _meta: { [KIND]: 'operation', [ACTIONS]: actions },
  }
}

/** An argument that two operations declare differently may be either. */
function unionOfArguments(declarations: z.ZodObject[]): Record<string, object> {
  const variants = new Map<string, Map<string, object>>()
  for (const args of declarations) {
    if (Object.keys(args.shape).length === 0) continue
    for (const [name, schema] of Object.entries(z.toJSONSchema(args, { io: 'input' }).properties ?? {})) {
      const known = variants.get(name) ?? new Map<string, object>()
      known.set(JSON.stringify(schema), Object(schema))
      variants.set(name, known)
    }
  }
  const merged = [...variants].map(([name, known]): [string, object] => {
    const [first = {}, ...others] = known.values()
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }]
  })
  return Object.fromEntries(merged)
}

function checkNames(tools: LiveWorld['tools']): void {
  const taken = new Set(['signals', 'documents', 'sleep', 'wait_for', ...queries.map((query) => query.name)])
  const bad = tools.find((tool) => taken.has(tool.name))
  if (bad !== undefined) throw new Error(`The artifact "${bad.name}" has a name that every world uses for itself.`)
}
