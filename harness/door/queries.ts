import type * as mcp from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { lines, prompt } from '../kit/index.js'
import type { JsonObject, ToolKind } from '../contract/index.js'
import type { Acknowledgement, LiveWorld, ToolDeclaration } from '../world/live.js'
import { ACTIONS, KIND, complaint, inputShape } from './protocol.js'

function answer(data: object, text = lines.fact(data)): mcp.CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } }
}

export function invalid(tool: string, error: string, at: number): mcp.CallToolResult {
  return { ...answer({ tool, error, at }), isError: true }
}

/** The text is what a model reads; `outcome` and `expects` are the door's alone. */
export function acknowledged(tool: string, action: string, ack: Acknowledgement): mcp.CallToolResult {
  const { outcome, operationId, at, about, message, rule, expects } = ack
  if (outcome === 'invalid') return invalid(tool, message, at)
  const called = { tool, action, accepted: outcome === 'accepted', operationId, at, ...(about !== null && { about }) }
  // A harmful operation gets the harm as its message, and no rule.
  const shown = { ...called, message, ...(rule !== null && outcome !== 'harmed' && { rule }) }
  return answer({ ...shown, outcome, expects }, lines.acknowledgement.write(shown))
}

/** A read-only tool of every world. */
interface Query<A extends z.ZodObject> {
  kind: Extract<ToolKind, 'catalogue' | 'document' | 'poll'>
  name: string
  description: string
  args: A
  call: (args: z.output<A>, from: Asked) => mcp.CallToolResult
}
/** Where and when a query is put, and by which activity. */
interface Asked {
  world: LiveWorld
  at: number
  /** How old the state is that it brings. */
  agoMs: number
  activity: string
}

const catalogue = query({
  kind: 'catalogue',
  name: 'system_discovery',
  description: 'Lists the tools of the system and the documents that can be retrieved.',
  args: z.strictObject({}),
  call(_args, { world, at }) {
    const tools = world.tools.map(({ name, summary }) => ({ name, summary }))
    const documents = world.documents.map(({ listing }) => listing)
    return answer({ tools, documents, at })
  },
})

const document = query({
  kind: 'document',
  name: 'manual_retrieval',
  description: 'Retrieves a document by its id, as system_discovery lists it.',
  args: z.strictObject({ document: z.string().describe('The id of the document') }),
  call({ document: id }, { world, at }) {
    const found = world.documents.find((candidate) => candidate.id === id)
    if (found === undefined)
      return answer({ document: id, found: false, known: world.documents.map((known) => known.id), at })
    const { text, hash } = found
    return answer({ document: id, found: true, text, hash, at }, prompt.fence(id, text))
  },
})

const reading = query({
  kind: 'poll',
  name: 'read_properties',
  description: 'Reads the present values of the observable properties of tools, with the time of their last change.',
  args: z.strictObject({
    tools: z.array(z.string()).optional().describe('The names of the tools; all tools if absent'),
  }),
  call({ tools = [] }, { world, at, agoMs, activity }) {
    const known = world.tools.map((tool) => tool.name)
    const unknown = tools.find((tool) => !known.includes(tool))
    if (unknown !== undefined)
      return invalid('read_properties', `No tool named "${unknown}". Known: ${known.join(', ')}.`, at)
    const wanted = tools.length === 0 ? known : [...new Set(tools)]
    const observed = wanted.map((tool) => ({ tool, properties: world.read(tool, activity, agoMs).properties }))
    return answer({ observed, at: at - agoMs })
  },
})

export const queries = [catalogue, document, reading]

function query<A extends z.ZodObject>({ args, call, ...declared }: Query<A>) {
  return {
    ...declared,
    inputSchema: argumentsSchema(inputShape.parse(z.toJSONSchema(args, { io: 'input' }))),
    call: (given: JsonObject, from: Asked): mcp.CallToolResult => {
      const parsed = args.safeParse(given)
      return parsed.success ? call(parsed.data, from) : invalid(declared.name, complaint(parsed.error), from.at)
    },
  }
}

/** The schema of a tool's arguments: its own, and the activity's uuid. */
function argumentsSchema(own: { properties: object; required: string[] }): mcp.Tool['inputSchema'] {
  return {
    type: 'object',
    properties: { ...own.properties, uuid: { type: 'string', description: 'The activity that calls' } },
    required: [...own.required, 'uuid'],
    additionalProperties: false,
  }
}

const cache = new WeakMap<LiveWorld['tools'], mcp.Tool[]>()

/** The MCP tools of a world: one per artifact that has operations, then the read-only ones. */
export function declaredTools(tools: LiveWorld['tools']): mcp.Tool[] {
  const known = cache.get(tools)
  if (known !== undefined) return known
  const declared = [
    ...tools.filter((tool) => tool.operations.length > 0).map(operationTool),
    ...queries.map(({ kind, call: _call, ...listed }) => ({
      ...listed,
      annotations: { readOnlyHint: true },
      _meta: { [KIND]: kind, [ACTIONS]: [] },
    })),
  ]
  cache.set(tools, declared)
  return declared
}

function operationTool({ name, summary, operations }: ToolDeclaration): mcp.Tool {
  const action = { type: 'string', enum: operations.map((operation) => operation.name) }
  const actions = operations.map((operation) => ({ name: operation.name, summary: operation.summary }))
  const own = unionOfArguments(operations.map(({ args }) => args))
  return {
    name,
    description: lines.toolDescription(summary, actions),
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
