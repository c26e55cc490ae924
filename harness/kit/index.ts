export { readEnding } from './ending.js'
export type { Ending } from './ending.js'
export * as prompt from './prompt.js'
