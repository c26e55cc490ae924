import type { Json, JsonObject, JsonSchema, Stream } from '../../harness/contract/index.js'

const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo']

/** Arguments that fit an object schema; each optional one is left out half of the time. `action` is the caller's. */
export function randomArguments(schema: JsonSchema, stream: Stream): JsonObject {
  const args: Record<string, Json> = {}
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of Object.entries(objectOf(schema.properties))) {
    if (name === 'action') continue
    if (required.includes(name) || stream.chance(0.5)) args[name] = randomValue(objectOf(property), stream)
  }
  return args
}

function randomValue(schema: JsonObject, stream: Stream): Json {
  if (schema.const !== undefined) return schema.const
  if (isList(schema.enum)) return stream.pick(schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (isList(alternatives)) return randomValue(objectOf(stream.pick(alternatives)), stream)
  const type = isList(schema.type) ? stream.pick(schema.type) : schema.type
  switch (typeof type === 'string' ? type : 'null') {
    case 'integer':
      return stream.integer(Math.ceil(bounds(schema).from), Math.floor(bounds(schema).to))
    case 'number':
      return stream.uniform(bounds(schema).from, bounds(schema).to)
    case 'boolean':
      return stream.chance(0.5)
    case 'string':
      return stream.pick(WORDS)
    case 'array':
      return schema.items === undefined ? [] : [randomValue(objectOf(schema.items), stream)]
    case 'object':
      return randomArguments(schema, stream)
    default:
      return null
  }
}

/** Where a bound is missing, a span of 100 stands in for it. */
function bounds(schema: JsonObject): { from: number; to: number } {
  const low = boundOf(schema.minimum) ?? boundOf(schema.exclusiveMinimum, 1)
  const high = boundOf(schema.maximum) ?? boundOf(schema.exclusiveMaximum, -1)
  const from = low ?? Math.min(0, high ?? 0)
  return { from, to: Math.max(from, high ?? from + 100) }
}

/** zod prints the safe-integer bounds for every integer: bounds that nobody meant. */
function boundOf(value: Json | undefined, step = 0): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value + step : null
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
