import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { z } from 'zod'
import type { Json, JsonObject } from '../contract/index.js'

/** For what came over a wire: it is JSON already, so only its outermost shape is looked at. */
export const json = z.custom<Json>()
export const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null)

/** An object as it is, or an empty one. */
export function asData(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value) ? value : {}
}

function isArray(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value)
}

/** The part of a tool's input schema that we write and read. */
export const inputShape = z.object({
  properties: z.record(z.string(), json),
  required: z.array(z.string()).default([]),
})

/** Shared by all clients and servers: making one takes longer than everything else of a connection. */
export const validator = new AjvJsonSchemaValidator()
