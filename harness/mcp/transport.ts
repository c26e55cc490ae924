import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

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
