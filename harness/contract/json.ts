/** A value that survives JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}
/** A property's value: what a manual can name in one word. */
export type Scalar = string | number | boolean
/** A JSON Schema (2020-12), as zod's `toJSONSchema` makes it. */
export type JsonSchema = JsonObject
