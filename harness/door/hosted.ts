import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as mcp from '@modelcontextprotocol/sdk/types.js'
import type { Door, ToolSpec } from '../contract/index.js'
import { jsonObject, validator } from './protocol.js'
import type { PushDoor } from './surfaces/push.js'

/** Does the work in the turn of the agent whose door it is; rejects when that agent's part is over. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** A door as an MCP server for a client outside of this process. Every session gets a server of its own. */
export type HostedDoor = ReturnType<typeof hostDoor>

const SIGNALS = 'world://signals'
const PROPERTIES = 'world://properties/'

/** What the client may do is what the door's surface lets it do; uuids stay on this side. */
export function hostDoor(door: Door, inTurn: InTurn) {
  const servers = new Map<Server, Set<string>>()
  const push = isPush(door) ? door : null

  function serve(): Server {
    const followed = new Set<string>()
    const server = new Server(
      { name: 'sora-bench-world', version: '1' },
      {
        capabilities: { tools: {}, ...(push !== null && { resources: { subscribe: true } }) },
        jsonSchemaValidator: validator,
      },
    )
    servers.set(server, followed)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's servers are no event targets
    server.onclose = () => void servers.delete(server)
    server.setRequestHandler(mcp.ListToolsRequestSchema, () => ({ tools: door.tools().map(toolOf) }))
    server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }) => {
      const called = await inTurn(() => door.call(params.name, jsonObject.parse(params.arguments ?? {})))
      const content: mcp.TextContent[] = [{ type: 'text', text: called.text }]
      const isError = called.outcome === 'invalid' || called.outcome === 'failed'
      return { content, structuredContent: { ...jsonObject.parse(called.data) }, isError }
    })
    if (push !== null) serveResources(server, push, followed)
    return server
  }

  function serveResources(server: Server, ringing: PushDoor, followed: Set<string>): void {
    server.setRequestHandler(mcp.ListResourcesRequestSchema, () => ({
      resources: [
        { uri: SIGNALS, name: 'signals', mimeType: 'application/json' },
        ...ringing
          .tools()
          .filter(({ kind }) => kind === 'operation')
          .map(({ name }) => ({ uri: PROPERTIES + name, name, mimeType: 'application/json' })),
      ],
    }))
    server.setRequestHandler(mcp.ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [{ name: 'properties', uriTemplate: `${PROPERTIES}{tool}`, mimeType: 'application/json' }],
    }))
    server.setRequestHandler(mcp.SubscribeRequestSchema, async ({ params: { uri } }) => {
      const tool = toolIn(uri)
      if (tool !== null) await inTurn(() => ringing.focus(tool))
      if (tool !== null && !ringing.focused().includes(tool)) throw unknown(uri)
      followed.add(uri)
      return {}
    })
    server.setRequestHandler(mcp.UnsubscribeRequestSchema, async ({ params: { uri } }) => {
      const tool = toolIn(uri)
      if (tool !== null) await inTurn(() => ringing.unfocus(tool))
      followed.delete(uri)
      return {}
    })
    server.setRequestHandler(mcp.ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const tool = toolIn(uri)
      const read = await inTurn(async () =>
        tool === null ? ringing.drain() : (await ringing.sync()).find((reading) => reading.tool === tool),
      )
      if (read === undefined)
        throw new mcp.McpError(mcp.ErrorCode.InvalidParams, `Subscribe to "${uri}" before you read it.`)
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(read) }] }
    })
  }

  return {
    serve,
    /** A doorbell of the door: of a tool's properties, or of its log (null). */
    rung(tool: string | null): void {
      const uri = tool === null ? SIGNALS : PROPERTIES + tool
      for (const [server, followed] of servers) {
        // A client that has gone, or does not listen, needs no doorbell.
        if (followed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {})
      }
    },
  }
}

const isPush = (door: Door): door is PushDoor => 'drain' in door

/** Null for the log. */
function toolIn(uri: string): string | null {
  if (uri === SIGNALS) return null
  if (uri.startsWith(PROPERTIES)) return uri.slice(PROPERTIES.length)
  throw unknown(uri)
}

const unknown = (uri: string): mcp.McpError =>
  new mcp.McpError(mcp.ErrorCode.InvalidParams, `No resource "${uri}". Known: ${SIGNALS}, ${PROPERTIES}TOOL.`)

function toolOf({ name, description, parameters }: ToolSpec): mcp.Tool {
  return { name, description, inputSchema: mcp.ToolSchema.shape.inputSchema.parse(parameters) }
}
