import type { ToolDeclaration } from './live.js'

/** What a focus lets through: of signals and of properties all (null), or those of these names. */
export interface Narrowing {
  signals: ReadonlySet<string> | null
  properties: ReadonlySet<string> | null
}

export const EVERYTHING: Narrowing = { signals: null, properties: null }

/** Instances of a property go by one name, whatever stands between the brackets. */
const patternOf = (name: string): string => name.replaceAll(/\[[^\]]*\]/g, '[]')

/**
 * Names limit their kind: signals that of signals, properties that of properties; of a kind without a name all are let
 * through. Null where a name is none of the tool's.
 */
export function narrowingOf({ signals, properties }: ToolDeclaration, only: readonly string[]): Narrowing | null {
  const named = new Set(only.map(patternOf))
  const among = (declared: readonly { name: string }[]): string[] =>
    declared.map(({ name }) => patternOf(name)).filter((name) => named.has(name))
  const [heard, seen] = [among(signals), among(properties)]
  if (new Set([...heard, ...seen]).size < named.size) return null
  return { signals: heard.length === 0 ? null : new Set(heard), properties: seen.length === 0 ? null : new Set(seen) }
}

/** Is a signal, or a property, let through? */
export const admits = (names: ReadonlySet<string> | null, name: string): boolean =>
  names === null || names.has(patternOf(name))
