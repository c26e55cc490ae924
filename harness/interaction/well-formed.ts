import type { Json } from '../define/index.js'

/** Half of a surrogate pair, which models may write and canonical JSON refuses, becomes U+FFFD. */
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return whole(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [whole(key), wellFormed(inner)]))
}

const whole = (text: string): string => text.replaceAll(/\p{Cs}/gu, '\uFFFD')

/** `Array.isArray` does not narrow read-only arrays. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
