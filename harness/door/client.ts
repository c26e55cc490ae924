import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { EmptyResultSchema, ErrorCode, McpError, ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { DocumentStamp, JsonObject } from '../contract/index.js'
import { inputShape, jsonObject, validator } from './json.js'
import { ACTIONS, KIND } from './queries.js'
import { ORDER, SEQ } from './subscriptions.js'

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
  call(name: string, args: JsonObject): Promise<Answered>
  read(uri: string): Promise<string>
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
    call: (name, args) =>
      client.request({ method: 'tools/call', params: { name, arguments: args } }, answered, patience),
    async read(uri) {
      const params = { uri }
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
