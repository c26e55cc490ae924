import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, expect, it } from 'vitest'
import { inMemoryWire } from './connection.js'
import { exchangeOf } from './doorbells.js'
import { UUID, codeOf, stage } from './fixtures/stage.js'
import { perfectLine } from './doorbells.js'
import { serveWorld } from './server.js'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

/** A world as any MCP client sees it. */
async function served() {
  const set = stage()
  const { world, clock } = set
  const rings: object[] = []
  const server = serveWorld({
    world,
    clock,
    exchange: exchangeOf(world, clock),
    openLine: perfectLine,
    failed: () => {},
  })
  const wire = inMemoryWire()
  const client = new Client({ name: 'anybody', version: '1' })
  client.fallbackNotificationHandler = async ({ params }) => void rings.push({ uri: params?.['uri'] })
  await server.connect(wire.server)
  await client.connect(wire.client)
  clients.push(client)
  return { ...set, client, rings, code: codeOf(set) }
}

it('an acknowledgement tells a program more than a model: which signal will end the operation', async () => {
  const { client, code } = await served()
  await client.callTool({ name: 'kettle', arguments: { uuid: UUID, action: 'unlock', code } })
  const { structuredContent, content } = await client.callTool({
    name: 'kettle',
    arguments: { uuid: UUID, action: 'heat' },
  })
  const told = { tool: 'kettle', action: 'heat', accepted: true, operationId: 'op-2', at: 0, message: 'Heating.' }
  expect(structuredContent).toEqual({ ...told, outcome: 'accepted', expects: ['kettle.hot'] })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(told) }])
})

it('a refusal is no error, a call without a uuid or of no tool is one', async () => {
  const { client } = await served()
  const refused = await client.callTool({ name: 'kettle', arguments: { uuid: UUID, action: 'heat' } })
  const anonymous = await client.callTool({ name: 'kettle', arguments: { action: 'heat' } })
  const unknown = await client.callTool({ name: 'teapot', arguments: { uuid: UUID } })
  expect([refused.isError, anonymous.isError, unknown.isError]).toEqual([undefined, true, true])
  expect(anonymous.structuredContent).toEqual({
    tool: 'kettle',
    error: 'uuid: the activity that calls must be named',
    at: 0,
  })
  expect(unknown.structuredContent).toEqual({
    tool: 'teapot',
    error: 'No tool named "teapot". Known: kettle, system_discovery, manual_retrieval, read_properties.',
    at: 0,
  })
})

it('every tool demands a uuid and no argument that nobody declared', async () => {
  const { client } = await served()
  const { tools } = await client.listTools()
  expect(
    tools.map(({ name, inputSchema }) => [name, inputSchema.required, inputSchema['additionalProperties']]),
  ).toEqual([
    ['kettle', ['action', 'uuid'], false],
    ['system_discovery', ['uuid'], false],
    ['manual_retrieval', ['document', 'uuid'], false],
    ['read_properties', ['uuid'], false],
  ])
})

it('documents are listed and read as markdown with their hash', async () => {
  const { client, world } = await served()
  const [, biscuits] = world.documents
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['world://documents/kettle_manual', 'world://documents/biscuits'])
  expect(await client.readResource({ uri: 'world://documents/biscuits' })).toEqual({
    contents: [
      {
        uri: 'world://documents/biscuits',
        mimeType: 'text/markdown',
        text: biscuits?.text,
        _meta: { hash: biscuits?.hash },
      },
    ],
  })
})

it('properties and logs are resources of an activity', async () => {
  const { client } = await served()
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'world://{uuid}/{tool}{?only}',
    'world://{uuid}/signals/{after}',
    'world://{uuid}/focus/{after}',
  ])
  const { contents } = await client.readResource({ uri: `world://${UUID}/cup` })
  const reading = { tool: 'cup', properties: { level: { value: 0, at: 0 } }, readAt: 0 }
  expect(contents).toEqual([
    { uri: `world://${UUID}/cup`, mimeType: 'application/json', text: JSON.stringify(reading) },
  ])
})

it.each([
  'world://documents/x',
  `world://${UUID}/teapot`,
  `world://${UUID}/cup/3`,
  'world://',
  'file:///etc/passwd',
  'world://%/cup',
])('there is nothing to read or to follow at %s', async (uri) => {
  const { client } = await served()
  await expect(client.readResource({ uri })).rejects.toThrow(`No resource "${uri}".`)
  await expect(client.subscribeResource({ uri })).rejects.toThrow(`Cannot follow "${uri}".`)
})

it('a change rings those who follow the tool, until they follow it no longer', async () => {
  const { client, rings, code } = await served()
  const uri = `world://${UUID}/kettle`
  const unlock = { name: 'kettle', arguments: { uuid: 'another', action: 'unlock', code } }
  await client.subscribeResource({ uri: `world://${UUID}/cup` })
  await client.callTool(unlock)
  expect(rings).toEqual([])
  await client.subscribeResource({ uri })
  await client.callTool({ name: 'kettle', arguments: { uuid: 'another', action: 'heat' } })
  expect(rings).toEqual([{ uri }])
  await client.unsubscribeResource({ uri })
  await client.callTool({ name: 'kettle', arguments: { uuid: 'another', action: 'pour', amount: 1 } })
  expect(rings).toEqual([{ uri }])
})
