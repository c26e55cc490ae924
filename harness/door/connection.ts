import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { EmptyResultSchema, ErrorCode, McpError, ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Clock, DocumentStamp, JsonObject } from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import type { Exchange, OpenLine } from './doorbells.js'
import { ACTIONS, AGO, KIND, ORDER, SEQ, inputShape, jsonObject, parseAddress, validator } from './protocol.js'
import { serveWorld } from './server.js'

const listing = z.object({
  tools: z.array(
    z
      .object({
        name: z.string(),
        description: z.string(),
        inputSchema: inputShape,
        _meta: z.object({
          [KIND]: z.enum(['operation', 'catalogue', 'document', 'poll']),
          [ACTIONS]: z.array(z.object({ name: z.string(), summary: z.string() })),
        }),
      })
      .transform(({ _meta: meta, ...tool }) => ({ ...tool, kind: meta[KIND], actions: meta[ACTIONS] })),
  ),
})
export type ListedTool = z.output<typeof listing>['tools'][number]

const stamps = z.object({
  resources: z.array(
    z
      .object({ name: z.string(), description: z.string(), _meta: z.object({ hash: z.string() }) })
      .transform(({ name, description, _meta: { hash } }) => ({ id: name, summary: description, hash })),
  ),
})

const answered = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: jsonObject,
  isError: z.boolean().default(false),
})
export type Answered = z.output<typeof answered>

const updated = z
  .object({
    params: z.object({ uri: z.string(), _meta: z.object({ [ORDER]: z.number(), [SEQ]: z.number().default(0) }) }),
  })
  .transform(({ params: { uri, _meta: meta } }) => ({ uri, order: meta[ORDER], seq: meta[SEQ] }))
export type Rung = z.output<typeof updated>

/** The verbs of the protocol that a door needs. */
export interface WorldClient {
  tools(): Promise<ListedTool[]>
  /** Of what is read, `agoMs` asks for the state of so long before: a fault of delivery. */
  call(name: string, args: JsonObject, agoMs?: number): Promise<Answered>
  read(uri: string, agoMs?: number): Promise<string>
  documents(): Promise<DocumentStamp[]>
  /** False for what cannot be followed. */
  follow(uri: string): Promise<boolean>
  unfollow(uri: string): Promise<void>
  close(): Promise<void>
}

const invalidParams: number = ErrorCode.InvalidParams

// The turn is held while a call is under way, so real time must not end it.
const patience = { timeout: 2_147_483_647 }

/** `rung` hears of every notification exactly once; null for one that is no doorbell of ours. */
export async function connectClient(transport: Transport, rung: (bell: Rung | null) => void): Promise<WorldClient> {
  const client = new Client({ name: 'sora-bench-door', version: '1' }, { jsonSchemaValidator: validator })
  client.fallbackNotificationHandler = async (notification) => {
    rung(updated.safeParse(notification).data ?? null)
  }
  await client.connect(transport, patience)

  return {
    tools: async () => (await client.request({ method: 'tools/list' }, listing, patience)).tools,
    call: (name, args, agoMs) =>
      client.request({ method: 'tools/call', params: { name, arguments: args, ...aged(agoMs) } }, answered, patience),
    async read(uri, agoMs) {
      const params = { uri, ...aged(agoMs) }
      const { contents } = await client.request(
        { method: 'resources/read', params },
        ReadResourceResultSchema,
        patience,
      )
      const [first] = contents
      if (first === undefined || !('text' in first)) throw new Error(`The resource "${uri}" has no text.`)
      return first.text
    },
    documents: async () => (await client.request({ method: 'resources/list' }, stamps, patience)).resources,
    async follow(uri) {
      try {
        await client.request({ method: 'resources/subscribe', params: { uri } }, EmptyResultSchema, patience)
        return true
      } catch (error) {
        if (error instanceof McpError && error.code === invalidParams) return false
        throw error
      }
    },
    async unfollow(uri) {
      await client.request({ method: 'resources/unsubscribe', params: { uri } }, EmptyResultSchema, patience)
    },
    close: () => client.close(),
  }
}

const aged = (agoMs = 0): { _meta?: Record<string, number> } => (agoMs === 0 ? {} : { _meta: { [AGO]: agoMs } })

/** Two connected ends. */
export interface Wire {
  client: Transport
  server: Transport
}

/** The SDK's pair hands over messages by reference: live state would be shared, so each goes through JSON. */
export function inMemoryWire(): Wire {
  const [client, server] = InMemoryTransport.createLinkedPair()
  return { client: throughJson(client), server: throughJson(server) }
}

function throughJson(transport: Transport): Transport {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const copy: JSONRPCMessage = JSON.parse(JSON.stringify(message))
    return send(copy, options)
  }
  return transport
}

/** Counts the notifications that leave; one that got lost must not be waited for. */
export function counted(transport: Transport, count: { sent(): void; lost(): void }): Transport {
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if (!('method' in message) || 'id' in message) return send(message, options)
    count.sent()
    try {
      await send(message, options)
    } catch (error) {
      count.lost()
      throw error
    }
  }
  return transport
}

/** Who hears the doorbells of a connection; `tool` is null for that of the log. */
interface DoorbellListener {
  rung(uuid: string, tool: string | null): void
  /** Signals up to `seq`, once the doorbells that left before are handled too. A doorbell without news delivers none. */
  delivered(uuid: string, seq: number): void
}

/** A server of the world and its client, on one wire. */
export async function connect(options: {
  world: LiveWorld
  clock: Clock
  exchange: Exchange
  wire: Wire
  openLine: OpenLine
  listener: DoorbellListener
}): Promise<WorldClient> {
  const { world, clock, exchange, wire, openLine, listener } = options
  let bug: { error: unknown } | null = null

  function heard(bell: Rung | null): void {
    const address = bell === null ? null : parseAddress(bell.uri)
    if (bell === null || address === null || address.kind === 'document') return exchange.handled(Infinity, () => {})
    const { uuid, kind } = address
    try {
      listener.rung(uuid, kind === 'signals' ? null : address.tool)
    } finally {
      exchange.handled(bell.order, () => {
        if (kind === 'signals' && bell.seq > 0) listener.delivered(uuid, bell.seq)
      })
    }
  }

  const server = serveWorld({
    world,
    clock,
    exchange,
    openLine,
    failed: (error) => {
      bug ??= { error }
    },
  })
  await server.connect(counted(wire.server, exchange))
  const client = await connectClient(wire.client, heard)

  /** An error of the world's own code keeps its stack: of that, the protocol leaves one sentence. */
  async function faithfully<T>(request: Promise<T>): Promise<T> {
    try {
      return await request
    } catch (error) {
      throw bug === null ? error : bug.error
    }
  }

  return {
    ...client,
    tools: () => faithfully(client.tools()),
    call: (name, args, agoMs) => faithfully(client.call(name, args, agoMs)),
    read: (uri, agoMs) => faithfully(client.read(uri, agoMs)),
  }
}
