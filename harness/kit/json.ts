import type { Json, JsonObject, Scalar } from '../contract/json.js'

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

export const isScalar = (value: Json | undefined): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The fields of an object that a name in a rule, such as `<job>`, could stand for. */
export function namesOf(value: Json | undefined): Readonly<Record<string, Scalar>> {
  const fields = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(fields.flatMap(([name, each]) => (isScalar(each) ? [[name, each] as const] : [])))
}

/** A value as what it should be: nothing of what it is not. */
export const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const texts = (value: Json | undefined): string[] => list(value).filter((each) => typeof each === 'string')
export const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
export const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
