import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult, ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import { AGO, addressUri, parseAddress } from './protocol.js'
import type { Exchange } from './doorbells.js'
import { jsonObject, validator } from './protocol.js'
import type { OpenLine } from './doorbells.js'
import { acknowledged, declaredTools, invalid, queries } from './queries.js'
import { createSubscriptions } from './doorbells.js'

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

const TEMPLATES: ResourceTemplate[] = [
  {
    name: 'properties',
    uriTemplate: 'world://{uuid}/{tool}',
    description: 'The observable properties of a tool. To subscribe is to focus the tool.',
    mimeType: JSON_TYPE,
  },
  {
    name: 'signals',
    uriTemplate: 'world://{uuid}/signals/{after}',
    description: 'The log of an activity after a seq. Its doorbell is the subscription to world://{uuid}/signals.',
    mimeType: JSON_TYPE,
  },
]

function listedDocuments(world: LiveWorld): Resource[] {
  return world.documents.map(({ id, summary, hash }) => ({
    uri: addressUri({ kind: 'document', id }),
    name: id,
    description: summary,
    mimeType: MARKDOWN,
    _meta: { hash },
  }))
}

/** Null for what does not exist. */
function readResource(world: LiveWorld, uri: string, agoMs: number): ReadResourceResult['contents'][number] | null {
  const address = parseAddress(uri)
  if (address === null) return null
  if (address.kind === 'signals') return json(uri, world.signalsAfter(address.uuid, address.after ?? 0))
  if (address.kind === 'properties') {
    const known = world.tools.some((tool) => tool.name === address.tool)
    return known ? json(uri, world.read(address.tool, address.uuid, agoMs)) : null
  }
  const found = world.documents.find((document) => document.id === address.id)
  return found === undefined ? null : { uri, mimeType: MARKDOWN, text: found.text, _meta: { hash: found.hash } }
}

const agoIn = ({ _meta: meta }: { _meta?: Record<string, unknown> | undefined }): number => Number(meta?.[AGO] ?? 0)

function json(uri: string, value: object): ReadResourceResult['contents'][number] {
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
  const subscriptions = createSubscriptions({
    world,
    exchange,
    openLine,
    notify: (params) => server.sendResourceUpdated(params),
  })
  const operated = new Set(world.tools.filter((tool) => tool.operations.length > 0).map((tool) => tool.name))

  function call(name: string, { uuid, ...given }: Record<string, unknown>, agoMs: number): CallToolResult {
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
      if (!(error instanceof McpError)) failed(error)
      throw error
    }
  }

  server.setRequestHandler(ListToolsRequestSchema, () => noticed(() => ({ tools: declaredTools(world.tools) })))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    noticed(() => call(params.name, params.arguments ?? {}, agoIn(params))),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listedDocuments(world) }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    noticed(() => {
      const contents = readResource(world, params.uri, agoIn(params))
      if (contents === null) throw new McpError(ErrorCode.InvalidParams, `No resource "${params.uri}".`)
      return { contents: [contents] }
    }),
  )
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) =>
    noticed(() => {
      if (!subscriptions.add(params.uri)) throw new McpError(ErrorCode.InvalidParams, `Cannot follow "${params.uri}".`)
      return {}
    }),
  )
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) =>
    noticed(() => {
      subscriptions.remove(params.uri)
      return {}
    }),
  )
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
  server.onclose = () => subscriptions.close()
  return server
}
