import type { Activity } from './activity.js'

/** What a focus names: tools, each with the single signals to which it is narrowed, or with all of them (null). */
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

/** Narrows or widens what is heard of tools; null where that changes nothing, else all that is narrowed now. */
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

const printed = (narrowed: Activity['narrowed']): Record<string, string[]> =>
  Object.fromEntries([...narrowed].map(([tool, signals]) => [tool, [...signals]]))

/** A signal of which no document of its tool that was read speaks would never come. */
export function strangerAmong({ memory }: Activity, focus: readonly string[]): { what: string; detail: string } | null {
  for (const [tool, signals] of namesIn(focus)) {
    const texts = memory
      .texts()
      .filter((id) => memory.covers(id).includes(tool))
      .map((id) => memory.text(id) ?? '')
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
