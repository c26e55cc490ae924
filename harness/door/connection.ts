import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import * as mcp from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Clock, JsonObject } from '../contract/index.js'
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
export type Doorbell = z.output<typeof updated>

const invalidParams: number = mcp.ErrorCode.InvalidParams

// The turn is held while a call is under way, so real time must not end it.
const patience = { timeout: 2_147_483_647 }

/** The verbs of the protocol that a door needs. */
export type WorldClient = Awaited<ReturnType<typeof connectClient>>

/** `rung` hears of every notification exactly once; null for one that is no doorbell of ours. */
export async function connectClient(transport: Transport, rung: (bell: Doorbell | null) => void) {
  const client = new Client({ name: 'sora-bench-door', version: '1' }, { jsonSchemaValidator: validator })
  client.fallbackNotificationHandler = async (notification) => {
    rung(updated.safeParse(notification).data ?? null)
  }
  await client.connect(transport, patience)

  const ask = <S extends z.ZodType>(method: string, params: JsonObject, result: S) =>
    client.request({ method, params }, result, patience)

  return {
    tools: async () => (await ask('tools/list', {}, listing)).tools,
    /** Of what is read, `agoMs` asks for the state of so long before: a fault of delivery. */
    call: (name: string, args: JsonObject, agoMs?: number) =>
      ask('tools/call', { name, arguments: args, ...aged(agoMs) }, answered),
    async read(uri: string, agoMs?: number) {
      const [first] = (await ask('resources/read', { uri, ...aged(agoMs) }, mcp.ReadResourceResultSchema)).contents
      if (first === undefined || !('text' in first)) throw new Error(`The resource "${uri}" has no text.`)
      return first.text
    },
    documents: async () => (await ask('resources/list', {}, stamps)).resources,
    /** False for what cannot be followed. */
    async follow(uri: string) {
      try {
        await ask('resources/subscribe', { uri }, mcp.EmptyResultSchema)
        return true
      } catch (error) {
        if (error instanceof mcp.McpError && error.code === invalidParams) return false
        throw error
      }
    },
    async unfollow(uri: string) {
      await ask('resources/unsubscribe', { uri }, mcp.EmptyResultSchema)
    },
    close: () => client.close(),
  }
}

const aged = (agoMs = 0): JsonObject => (agoMs === 0 ? {} : { _meta: { [AGO]: agoMs } })

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
    const copy: mcp.JSONRPCMessage = JSON.parse(JSON.stringify(message))
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

/** A server of the world and its client, on one wire. */
export async function connect(options: {
  world: LiveWorld
  clock: Clock
  exchange: Exchange
  wire: Wire
  openLine: OpenLine
  /** A doorbell: `tool` is null for that of the log. */
  rung(uuid: string, tool: string | null): void
  /** Signals up to `seq`, once the doorbells that left before are handled too. A doorbell without news delivers none. */
  delivered(uuid: string, seq: number): void
}): Promise<WorldClient> {
  const { exchange, wire } = options
  let bug: { error: unknown } | null = null

  function onDoorbell(bell: Doorbell | null): void {
    const address = bell === null ? null : parseAddress(bell.uri)
    if (bell === null || address === null || address.kind === 'document' || address.kind === 'focus')
      return exchange.handled(Infinity, () => {})
    const { uuid, kind } = address
    try {
      options.rung(uuid, kind === 'signals' ? null : address.tool)
    } finally {
      exchange.handled(bell.order, () => {
        if (kind === 'signals' && bell.seq > 0) options.delivered(uuid, bell.seq)
      })
    }
  }

  const failed = (error: unknown): void => void (bug ??= { error })
  const server = serveWorld({ ...options, failed })
  await server.connect(counted(wire.server, exchange))
  const client = await connectClient(wire.client, onDoorbell)

  /** An error of the world's own code keeps its stack: of that, the protocol leaves one sentence. */
  async function withWorldErrors<T>(request: Promise<T>): Promise<T> {
    try {
      return await request
    } catch (error) {
      throw bug === null ? error : bug.error
    }
  }

  return {
    ...client,
    tools: () => withWorldErrors(client.tools()),
    call: (name, args, agoMs) => withWorldErrors(client.call(name, args, agoMs)),
    read: (uri, agoMs) => withWorldErrors(client.read(uri, agoMs)),
  }
}
