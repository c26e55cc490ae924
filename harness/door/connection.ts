import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../contract/index.js'
import type { LiveWorld } from '../world/live.js'
import { parseAddress } from './address.js'
import { connectClient } from './client.js'
import type { Rung, WorldClient } from './client.js'
import type { Exchange } from './exchange.js'
import type { OpenLine } from './line.js'
import { serveWorld } from './server.js'

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
    call: (name, args) => faithfully(client.call(name, args)),
    read: (uri) => faithfully(client.read(uri)),
  }
}
