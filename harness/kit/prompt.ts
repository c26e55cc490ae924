import type { Reading, SignalEntry } from '../contract/door.js'
import { signal, variable } from './lines.js'

export { catalogueLine, fact } from './lines.js'
export type { DocumentState } from './lines.js'
export { fence, goalText, section } from './sections.js'
export const signalLine = (entry: SignalEntry): string => signal.write(entry)

/** One line per property. */
export function variableLines({ tool, properties, readAt }: Reading): string[] {
  return Object.entries(properties).map(([property, { value, at }]) =>
    variable.write({ tool, property, value, at, readAt }),
  )
}
