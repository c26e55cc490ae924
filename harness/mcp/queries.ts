import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { prompt, type JsonObject, type ToolKind } from '../define/index.js'
import type { LiveWorld } from '../world/live.js'
import { answer, invalid } from './answers.js'
import { inputShape } from './json.js'

/** A read-only tool of every world. */
export interface Query {
  kind: Exclude<ToolKind, 'operation' | 'sleep' | 'wait'>
  name: string
  description: string
  inputSchema: Tool['inputSchema']
  call(args: JsonObject, from: Asked): CallToolResult
}
/** Where and when a query is put, and by which activity. */
export interface Asked {
  world: LiveWorld
  at: number
  activity: string
}

const catalogue = query({
  kind: 'catalogue',
  name: 'system_discovery',
  description: 'Lists the tools of the system and the documents that can be retrieved.',
  args: z.strictObject({}),
  call(_args, { world, at }) {
    const tools = world.tools.map(({ name, summary }) => ({ name, summary }))
    const documents = world.documents.map(({ id, summary, covers }) => ({ id, summary, covers }))
    const data = { tools, documents, at }
    return answer(prompt.fact(data), data)
  },
})

const document = query({
  kind: 'document',
  name: 'manual_retrieval',
  description: 'Retrieves a document by its id, as system_discovery lists it.',
  args: z.strictObject({ document: z.string().describe('The id of the document') }),
  call({ document: id }, { world, at }) {
    const found = world.documents.find((candidate) => candidate.id === id)
    if (found === undefined) {
      const data = { document: id, found: false, known: world.documents.map((known) => known.id), at }
      return answer(prompt.fact(data), data)
    }
    return answer(prompt.fence(id, found.text), { document: id, found: true, text: found.text, hash: found.hash, at })
  },
})

const reading = query({
  kind: 'poll',
  name: 'read_properties',
  description: 'Reads the present values of the observable properties of tools, with the time of their last change.',
  args: z.strictObject({
    tools: z.array(z.string()).optional().describe('The names of the tools; all tools if absent'),
  }),
  call({ tools = [] }, { world, at, activity }) {
    const known = world.tools.map((tool) => tool.name)
    const unknown = tools.find((tool) => !known.includes(tool))
    if (unknown !== undefined) {
      return invalid('read_properties', `No tool named "${unknown}". Known: ${known.join(', ')}.`, at)
    }
    const wanted = tools.length === 0 ? known : [...new Set(tools)]
    const observed = wanted.map((tool) => ({ tool, properties: world.read(tool, activity).properties }))
    const data = { observed, at }
    return answer(prompt.fact(data), data)
  },
})

export const queries: readonly Query[] = [catalogue, document, reading]

function query<A extends z.ZodObject>(declared: {
  kind: Query['kind']
  name: string
  description: string
  args: A
  call(args: z.output<A>, from: Asked): CallToolResult
}): Query {
  const { kind, name, description, args } = declared
  return {
    kind,
    name,
    description,
    inputSchema: argumentsSchema(inputShape.parse(z.toJSONSchema(args, { io: 'input' }))),
    call(given, from) {
      const parsed = args.safeParse(given)
      return parsed.success ? declared.call(parsed.data, from) : invalid(name, complaint(parsed.error), from.at)
    },
  }
}

/** The schema of a tool's arguments: its own, and the activity's uuid. */
export function argumentsSchema(own: { properties: object; required: string[] }): Tool['inputSchema'] {
  return {
    type: 'object',
    properties: { ...own.properties, uuid: { type: 'string', description: 'The activity that calls' } },
    required: [...own.required, 'uuid'],
    additionalProperties: false,
  }
}

/** All that a check found wrong, in one line. */
export function complaint(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
}
