import { z } from 'zod'

type Shape = z.core.JSONSchema.BaseSchema

const WORDS: Record<string, string> = {
  string: 'String',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Boolean',
  null: 'Null',
}
const shapes = new WeakMap<z.ZodType, Shape>()

/** The type in a manual's words: `Integer`, or `{ "psi": Integer, "msg": String }`. */
export function typeWords(type: z.ZodType): string {
  return words(shapeOf(type))
}

/** The values that a property can take, in backticks. */
export function rangeWords(type: z.ZodType, unit?: string): string {
  const shape = shapeOf(type)
  const listed = shape.enum ?? (shape.const === undefined ? null : [shape.const])
  if (listed !== null) return listed.map((value) => `\`${String(value)}\``).join(', ')
  if (shape.type === 'boolean') return '`true`, `false`'
  const bounds = boundWords(shape)
  return bounds === null ? 'any' : unit === undefined ? bounds : `${bounds} ${unit}`
}

function shapeOf(type: z.ZodType): Shape {
  let shape = shapes.get(type)
  if (shape === undefined) {
    shape = z.toJSONSchema(type, { unrepresentable: 'any' })
    shapes.set(type, shape)
  }
  return shape
}

function words(shape: Shape | boolean): string {
  if (typeof shape === 'boolean') return 'Any'
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(words))].join(' or ')
  if (shape.type === 'object') {
    const fields = Object.entries(shape.properties ?? {}).map(([name, field]) => `"${name}": ${words(field)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  if (shape.type === 'array') return `[${Array.isArray(shape.items) ? 'Any' : words(shape.items ?? {})}]`
  return WORDS[String(shape.type)] ?? 'Any'
}

function boundWords({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Shape): string | null {
  const parts = [
    ['at least', minimum],
    ['above', exclusiveMinimum],
    ['at most', maximum],
    ['below', exclusiveMaximum],
  ].flatMap(([word, limit]) => (isBound(limit) ? [`${word} \`${limit}\``] : []))
  if (isBound(minimum) && isBound(maximum)) return `\`${minimum}\` - \`${maximum}\``
  return parts.length === 0 ? null : parts.join(', ')
}

/** Zod writes an unbounded integer as the range of the safe integers. */
function isBound(limit: unknown): limit is number {
  return typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
}
