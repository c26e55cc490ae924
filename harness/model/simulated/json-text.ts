import type { Json, JsonObject, Scalar } from '../../define/index.js'

/** The value of a text that is one JSON value, or undefined. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON value that begins at `start`, and where it ends; null where none does. Strings may hold brackets. */
export function jsonAt(text: string, start: number): { value: Json; end: number } | null {
  const end = endOf(text, start)
  const value = end === null ? undefined : parseJson(text.slice(start, end))
  return end === null || value === undefined ? null : { value, end }
}

function endOf(text: string, start: number): number | null {
  const first = text[start]
  if (first !== '"' && first !== '{' && first !== '[') {
    const scalar = /^(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(text.slice(start, start + 40))
    return scalar === null ? null : start + scalar[0].length
  }
  let depth = 0
  let quoted = false
  for (let index = start; index < text.length; index++) {
    const char = text[index]
    if (quoted) {
      if (char === '\\') index += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (!quoted && depth === 0) return index + 1
  }
  return null
}

export const isScalar = (value: Json | undefined): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
