import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import { counted, inMemoryWire } from './connection.js'

it('a message that was sent does not share anything with what its receiver got', async () => {
  const { client, server } = inMemoryWire()
  const got: JSONRPCMessage[] = []
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports are no event targets
  client.onmessage = (message) => void got.push(message)
  await client.start()
  const live = { value: 1, lost: undefined }
  await server.send({ jsonrpc: '2.0', method: 'notifications/x', params: { live } })
  live.value = 2
  expect(got).toStrictEqual([{ jsonrpc: '2.0', method: 'notifications/x', params: { live: { value: 1 } } }])
})

it('only notifications are counted, and those that got lost are counted as such', async () => {
  const { client, server } = inMemoryWire()
  const counts: string[] = []
  const far = counted(server, { sent: () => counts.push('sent'), lost: () => counts.push('lost') })
  await far.send({ jsonrpc: '2.0', id: 1, result: {} })
  await far.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  await far.send({ jsonrpc: '2.0', method: 'notifications/x' })
  await client.close()
  await expect(far.send({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toThrow('Not connected')
  expect(counts).toEqual(['sent', 'sent', 'lost'])
})
