export { OUTCOME_LINES, outcomeLine, readEnding } from './ending.js'
export type { Ending } from './ending.js'
export { isObject, isScalar, namesOf, parseJson } from './json.js'
export * as lines from './lines.js'
export type { Event, Listing, Said } from './lines.js'
/** What writes the texts of prompts. */
export * as prompt from './prompt.js'
export {
  isFenced,
  readPromptText,
  readUnread,
  readVerbs,
  signalHeading,
  signalsIn,
  unreadLine,
  verbsLine,
} from './sections.js'
