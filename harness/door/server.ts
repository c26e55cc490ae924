import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as mcp from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import { createSubscriptions } from './doorbells.js'
import type { Exchange, OpenLine } from './doorbells.js'
import { AGO, addressUri, jsonObject, parseAddress, validator } from './protocol.js'
import { acknowledged, declaredTools, invalid, queries } from './queries.js'

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

const TEMPLATES: mcp.ResourceTemplate[] = [
  {
    name: 'properties',
    uriTemplate: 'world://{uuid}/{tool}{?only}',
    description:
      'The observable properties of a tool. To subscribe is to focus the tool; `only` narrows the focus to signals and properties of these names.',
    mimeType: JSON_TYPE,
  },
  {
    name: 'signals',
    uriTemplate: 'world://{uuid}/signals/{after}',
    description: 'The log of an activity after a seq. Its doorbell is the subscription to world://{uuid}/signals.',
    mimeType: JSON_TYPE,
  },
  {
    name: 'focus',
    uriTemplate: 'world://{uuid}/focus/{after}',
    description: 'The log of an activity after a seq, and the properties of all tools in its focus.',
    mimeType: JSON_TYPE,
  },
]

function listedDocuments(world: LiveWorld): mcp.Resource[] {
  return world.documents.map(({ id, summary: description, hash }) => {
    const uri = addressUri({ kind: 'document', id })
    return { uri, name: id, description, mimeType: MARKDOWN, _meta: { hash } }
  })
}

/** Null for what does not exist. */
function readResource(world: LiveWorld, uri: string, agoMs: number): mcp.ReadResourceResult['contents'][number] | null {
  const address = parseAddress(uri)
  if (address === null) return null
  if (address.kind === 'signals') return json(uri, world.signalsAfter(address.uuid, address.after ?? 0))
  if (address.kind === 'focus') {
    const { uuid, after } = address
    return json(uri, { signals: world.signalsAfter(uuid, after), readings: world.inFocus(uuid, agoMs) })
  }
  if (address.kind === 'properties') {
    const known = world.tools.some((tool) => tool.name === address.tool)
    return known ? json(uri, world.read(address.tool, address.uuid, agoMs, address.only)) : null
  }
  const found = world.documents.find((document) => document.id === address.id)
  return found === undefined ? null : { uri, mimeType: MARKDOWN, text: found.text, _meta: { hash: found.hash } }
}

const agoIn = ({ _meta: meta }: { _meta?: Record<string, unknown> | undefined }): number => Number(meta?.[AGO] ?? 0)

function json(uri: string, value: object): mcp.ReadResourceResult['contents'][number] {
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }
}

interface Served {
  world: LiveWorld
  clock: Clock
  exchange: Exchange
  /** How doorbells get to the client. */
  openLine: OpenLine
  /** Hears of errors of the world's own code before the protocol has made a sentence of them. */
  failed: (error: unknown) => void
}

/** A world as an MCP server, for one client. */
export function serveWorld({ world, clock, exchange, openLine, failed }: Served): Server {
  const server = new Server(
    { name: 'sora-bench-world', version: '1' },
    { capabilities: { tools: {}, resources: { subscribe: true } }, jsonSchemaValidator: validator },
  )
  const notify = (params: mcp.ResourceUpdatedNotification['params']): Promise<void> =>
    server.sendResourceUpdated(params)
  const subscriptions = createSubscriptions({ world, exchange, openLine, clock, notify })
  const operated = new Set(world.tools.filter((tool) => tool.operations.length > 0).map((tool) => tool.name))

  function call(name: string, { uuid, ...given }: Record<string, unknown>, agoMs: number): mcp.CallToolResult {
    const at = clock.now()
    if (typeof uuid !== 'string') return invalid(name, 'uuid: the activity that calls must be named', at)
    const args = jsonObject.parse(given)
    const query = queries.find((candidate) => candidate.name === name)
    if (query !== undefined) return query.call(args, { world, at, agoMs, activity: uuid })
    if (!operated.has(name)) {
      const known = [...operated, ...queries.map((candidate) => candidate.name)]
      return invalid(name, `No tool named "${name}". Known: ${known.join(', ')}.`, at)
    }
    const { action, ...rest } = args
    const named = typeof action === 'string' ? action : ''
    return acknowledged(name, named, world.execute({ tool: name, action: named, args: rest, activity: uuid }))
  }

  /** Our own errors are the world's bugs; those of the protocol are the client's mistakes. */
  function noticed<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof mcp.McpError)) failed(error)
      throw error
    }
  }

  server.setRequestHandler(mcp.ListToolsRequestSchema, () => noticed(() => ({ tools: declaredTools(world.tools) })))
  server.setRequestHandler(mcp.CallToolRequestSchema, ({ params }) =>
    noticed(() => call(params.name, params.arguments ?? {}, agoIn(params))),
  )
  server.setRequestHandler(mcp.ListResourcesRequestSchema, () => ({ resources: listedDocuments(world) }))
  server.setRequestHandler(mcp.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(mcp.ReadResourceRequestSchema, ({ params }) =>
    noticed(() => {
      const contents = readResource(world, params.uri, agoIn(params))
      if (contents === null) throw new mcp.McpError(mcp.ErrorCode.InvalidParams, `No resource "${params.uri}".`)
      return { contents: [contents] }
    }),
  )
  server.setRequestHandler(mcp.SubscribeRequestSchema, ({ params }) =>
    noticed(() => {
      if (!subscriptions.add(params.uri))
        throw new mcp.McpError(mcp.ErrorCode.InvalidParams, `Cannot follow "${params.uri}".`)
      return {}
    }),
  )
  server.setRequestHandler(mcp.UnsubscribeRequestSchema, ({ params }) =>
    noticed(() => {
      subscriptions.remove(params.uri)
      return {}
    }),
  )
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
  server.onclose = () => subscriptions.close()
  return server
}
