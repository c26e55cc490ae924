import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { z } from 'zod'
import type { Json, JsonObject, JsonSchema } from '../contract/index.js'

/**
 * What a resource of a world is called: see docs/design.md#worlds. An activity's uuid stands in the URI of what it alone
 * may follow, and with `only` the names of the signals and properties to which its focus is narrowed.
 */
export type Address =
  | { kind: 'properties'; uuid: string; tool: string; only?: readonly string[] }
  | { kind: 'signals'; uuid: string; after: number | null }
  /** The log after a seq and all that is in focus, in one. */
  | { kind: 'focus'; uuid: string; after: number }
  | { kind: 'document'; id: string }

export function addressUri(address: Address): string {
  if (address.kind === 'document') return `world://documents/${encodeURIComponent(address.id)}`
  const host = `world://${encodeURIComponent(address.uuid)}`
  if (address.kind === 'properties') return `${host}/${encodeURIComponent(address.tool)}${queryOf(address.only)}`
  if (address.kind === 'focus') return `${host}/focus/${address.after}`
  return address.after === null ? `${host}/signals` : `${host}/signals/${address.after}`
}

const queryOf = (only: readonly string[] = []): string =>
  only.length === 0 ? '' : `?only=${only.map(encodeURIComponent).join(',')}`

const shape = /^world:\/\/(?<host>[^/]+)\/(?<path>[^/?]+)(?:\/(?<after>\d+)|\?only=(?<only>[^/]+))?$/

/** Null for what is no address of a world. */
export function parseAddress(uri: string): Address | null {
  const { host, path, after, only } = shape.exec(uri)?.groups ?? {}
  if (host === undefined || path === undefined) return null
  const name = decoded(path)
  const uuid = decoded(host)
  if (name === null || uuid === null) return null
  if (only !== undefined) {
    const names = only.split(',').map(decoded)
    if (host === 'documents' || path === 'signals' || names.some((each) => each === null)) return null
    return { kind: 'properties', uuid, tool: name, only: names.filter((each) => each !== null) }
  }
  if (path === 'signals') return { kind: 'signals', uuid, after: after === undefined ? null : Number(after) }
  if (after !== undefined) return path === 'focus' ? { kind: 'focus', uuid, after: Number(after) } : null
  return host === 'documents' ? { kind: 'document', id: name } : { kind: 'properties', uuid, tool: name }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Where a tool says, beside what the protocol has a place for, what it is for and what its actions are. */
export const KIND = 'sora-bench/kind'
export const ACTIONS = 'sora-bench/actions'

/** Beside a doorbell's URI: its place in the order of sending, and how far the log went when a log's doorbell left. */
export const ORDER = 'sora-bench/order'
/** Of a read: how old the state is that it brings (ms). */
export const AGO = 'sora-bench/ago'
export const SEQ = 'sora-bench/seq'

/** For what came over a wire: it is JSON already, so only its outermost shape is looked at. */
export const json = z.custom<Json>()
export const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null)

/** The part of a tool's input schema that we write and read. */
export const inputShape = z.object({
  properties: z.record(z.string(), json),
  required: z.array(z.string()).default([]),
})

/** Shared by all clients and servers: making one takes longer than everything else of a connection. */
export const validator = new AjvJsonSchemaValidator()

/** The part of a tool's schema that agents are shown. The uuid is the door's business. */
export function objectSchema(schema: unknown): JsonSchema {
  const { properties, required } = inputShape.parse(schema)
  const { uuid: _hidden, ...shown } = properties
  return {
    type: 'object',
    properties: shown,
    required: required.filter((key) => key !== 'uuid'),
    additionalProperties: false,
  }
}

/** All that a check found wrong, in one line. */
export function complaint(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
}
