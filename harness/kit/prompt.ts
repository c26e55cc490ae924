import type { Reading, SignalEntry } from '../contract/door.js'
import { fact, signal, variable } from './lines.js'

export { catalogueLine, experienceLine, fact } from './lines.js'
export type { DocumentState } from './listings.js'
export { fence, goal, goalText, numbered, quote, section } from './sections.js'
export const signalLine = (entry: SignalEntry): string => signal.write(entry)

/** One line per property, and one more where they could not be read anew. */
export function variableLines({ tool, properties, readAt, notRead }: Reading): string[] {
  const known = Object.entries(properties).map(([property, { value, at }]) =>
    variable.write({ tool, property, value, at, readAt }),
  )
  return notRead === undefined ? known : [...known, fact({ notRead: [tool], reason: notRead })]
}
