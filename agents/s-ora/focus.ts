import { signalsIn } from '../../harness/kit/index.js'
import type { Activity, Agent } from './activity.js'

/** What a focus names: tools, each with the single signals and properties to which it is narrowed, or with all (null). */
export function namesIn(focus: readonly string[]): Map<string, string[] | null> {
  const named = new Map<string, string[] | null>()
  for (const name of focus) {
    // A tool's name has no dot.
    const [tool = '', ...rest] = name.split('.')
    const before = named.get(tool)
    if (rest.length === 0) named.set(tool, null)
    else if (before !== null) named.set(tool, [...(before ?? []), rest.join('.')])
  }
  return named
}

/** Narrows or widens what is to be perceived of tools; null where that changes nothing, else all that is narrowed now. */
export function narrowTo(
  { narrowed }: Activity,
  named: ReadonlyMap<string, readonly string[] | null>,
): Record<string, string[]> | null {
  const before = printed(narrowed)
  for (const [tool, signals] of named) {
    if (signals === null) narrowed.delete(tool)
    else narrowed.set(tool, new Set([...(narrowed.get(tool) ?? []), ...signals]))
  }
  const now = printed(narrowed)
  return JSON.stringify(now) === JSON.stringify(before) ? null : now
}

/** Puts a tool into focus, or narrows or widens that: by what the activity has decided, else by what its parameters say. */
export async function focusOn(tool: string, { door, narrowed }: Activity, { context }: Agent): Promise<void> {
  const given = namesIn(context.params.attention?.split(',') ?? []).get(tool) ?? []
  if (given.length > 0 && !narrowed.has(tool)) narrowed.set(tool, new Set(given))
  await door.focus(tool, [...(narrowed.get(tool) ?? [])])
}

/** The documents of a tool that were read. */
export const textsOf = ({ memory }: Pick<Activity, 'memory'>, tool: string): string[] =>
  memory.texts().flatMap((id) => (memory.covers(id).includes(tool) ? [memory.text(id) ?? ''] : []))

/** The signals to which the focus on a tool is narrowed; null: to none, as where it names properties alone. */
export function heardOf(activity: Activity, tool: string): ReadonlySet<string> | null {
  const named = activity.narrowed.get(tool)
  if (named === undefined) return null
  const told = new Set(textsOf(activity, tool).flatMap(signalsIn))
  const signals = [...named].filter((name) => told.size === 0 || told.has(name))
  return signals.length === 0 ? null : new Set(signals)
}

/** Does the focus on a tool let a property through? */
export function sees(activity: Activity, tool: string, property: string): boolean {
  const heard = heardOf(activity, tool)
  const seen = [...(activity.narrowed.get(tool) ?? [])].filter((name) => heard?.has(name) !== true)
  const patternOf = (name: string): string => name.replace(/\[.*\]/, '[]')
  return seen.length === 0 || seen.some((name) => patternOf(name) === patternOf(property))
}

const printed = (narrowed: Activity['narrowed']): Record<string, string[]> =>
  Object.fromEntries([...narrowed].map(([tool, signals]) => [tool, [...signals]]))

/** A signal of which no document of its tool that was read speaks would never come. */
export function strangerAmong(activity: Activity, focus: readonly string[]): { what: string; detail: string } | null {
  for (const [tool, signals] of namesIn(focus)) {
    const texts = textsOf(activity, tool)
    const stranger = signals?.find(
      (signal) => texts.length > 0 && !texts.some((text) => text.includes(`\`${signal}\``)),
    )
    if (stranger !== undefined) {
      const name = JSON.stringify(stranger)
      return { what: 'unknown_signal', detail: `No document of ${tool} that was read speaks of the signal ${name}.` }
    }
  }
  return null
}
