import type { Scalar } from '../../contract/index.js'

/**
 * What the `<names>` in a manual's rules stand for, e.g. `job` → `job-1`. A property that exists once per entity is
 * declared as `jobs[<job>].state` and read as `jobs[job-1].state`.
 */
export type Names = Readonly<Record<string, Scalar>>

const NAME = /<([^<>]+)>/g
const WHOLE = /^<([^<>]+)>$/
const ENTITY = /\[<([^<>\]]+)>\]/

/** The entity that a property belongs to by its declared name; null: it exists once. */
export function entityIn(property: string): string | null {
  return ENTITY.exec(property)?.[1] ?? null
}

/** The argument that a value stands for as a whole; null for any other value. */
export function argumentIn(value: Scalar | null): string | null {
  return typeof value === 'string' ? (WHOLE.exec(value)?.[1] ?? null) : null
}

/** The key of the entity in a property's name as it is read; null where it is no instance of the declared one. */
export function keyIn(property: string, declared: string): string | null {
  const [head = '', tail] = declared.split(/<[^<>\]]+>/)
  if (tail === undefined || !property.startsWith(head) || !property.endsWith(tail)) return null
  const key = property.slice(head.length, property.length - tail.length)
  return key === '' || key.startsWith('<') ? null : key
}

/** The same for all instances, and for what is declared. */
export function kindOf(property: string): string {
  return property.replace(/\[[^\]]*\]/, '[]')
}

export function fillText(text: string, names: Names): string {
  return text.includes('<')
    ? text.replaceAll(NAME, (whole, name: string) => String(valueIn(names, name) ?? whole))
    : text
}

/** Names come from texts of the world: what every object inherits is none of them. */
export function valueIn(names: Names, name: string): Scalar | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}

export function fillValue<T extends Scalar | null>(value: T, names: Names): T | Scalar {
  const name = argumentIn(value)
  return name === null ? value : (valueIn(names, name) ?? value)
}
