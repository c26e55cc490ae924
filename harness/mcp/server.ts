import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../define/index.js'
import type { LiveWorld } from '../world/live.js'
import { acknowledged, invalid } from './answers.js'
import { declaredTools } from './declared.js'
import type { Exchange } from './exchange.js'
import { jsonObject } from './json.js'
import type { OpenLine } from './line.js'
import { queries } from './queries.js'
import { listedDocuments, readResource, TEMPLATES } from './resources.js'
import { createSubscriptions } from './subscriptions.js'
import { validator } from './validator.js'

export interface Served {
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

  function call(name: string, { uuid, ...given }: Record<string, unknown>): CallToolResult {
    const at = clock.now()
    if (typeof uuid !== 'string') return invalid(name, 'uuid: the activity that calls must be named', at)
    const args = jsonObject.parse(given)
    const query = queries.find((candidate) => candidate.name === name)
    if (query !== undefined) return query.call(args, { world, at, activity: uuid })
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
    noticed(() => call(params.name, params.arguments ?? {})),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listedDocuments(world) }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    noticed(() => {
      const contents = readResource(world, params.uri)
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
