import { z } from 'zod'
import type { Json, JsonObject } from '../define/index.js'

/** For what came over a wire: it is JSON already, so only its outermost shape is looked at. */
export const json = z.custom<Json>()
export const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null)

/** The part of a tool's input schema that we write and read. */
export const inputShape = z.object({
  properties: z.record(z.string(), json),
  required: z.array(z.string()).default([]),
})
