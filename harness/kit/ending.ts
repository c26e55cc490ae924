import type { Claim } from '../contract/agent.js'

/** The end of an agent's work as a plain answer tells it, or why it cannot be read, in words that help to correct it. */
export type Ending =
  | { kind: 'end'; claim: Claim; text: string }
  | { kind: 'malformed'; what: 'empty' | 'no_outcome'; detail: string }

const CLAIMS: Readonly<Record<Claim, string>> = { achieved: 'OUTCOME: ACHIEVED', gave_up: 'OUTCOME: GAVE UP' }

/** The last line of an answer that ends an activity. */
export const outcomeLine = (claim: Claim): string => CLAIMS[claim]
/** Both, as a prompt names them. */
export const OUTCOME_LINES = Object.values(CLAIMS).join('\n')

/** Reads the last line of an answer without calls: the OUTCOME line of docs/wire.md, in whatever emphasis. */
export function readEnding(text: string): Ending {
  if (text.trim() === '') {
    const detail = 'The answer was empty. Call one tool, or end with the OUTCOME line.'
    return { kind: 'malformed', what: 'empty', detail }
  }
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  const outcome = /^\W*OUTCOME\W*:\W*(ACHIEVED|GAVE UP)\W*$/i.exec(last)?.[1]
  if (outcome === undefined) {
    const detail = `To go on, call one tool. To end, answer in text whose last line is ${CLAIMS.achieved} or ${CLAIMS.gave_up}.`
    return { kind: 'malformed', what: 'no_outcome', detail }
  }
  return { kind: 'end', claim: outcome.toUpperCase() === 'ACHIEVED' ? 'achieved' : 'gave_up', text }
}
