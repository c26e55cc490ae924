export { correction, readCall, readCalls, readEnd, readObject, repaired, said, turnedDown, whole } from './answers.js'
export type { Answered, Call, End, Malformed, Mend } from './answers.js'
export { OUTCOME_LINES, outcomeLine, readEnding } from './ending.js'
export { isObject, isScalar, namesOf, parseJson } from './json.js'
export * as lines from './lines.js'
export type { Event, Said } from './lines.js'
export type { Listing } from './listings.js'
/** What writes the texts of prompts. */
export * as prompt from './prompt.js'
export {
  isFenced,
  readNumbered,
  readPromptText,
  readUnread,
  readVerbs,
  signalHeading,
  signalsIn,
  unquote,
  unreadLine,
  verbsLine,
} from './sections.js'
export type { Line } from './sections.js'
export { createBudget, readUpFront, terms, windowOf } from './terms.js'
export type { Budget } from './terms.js'
