import type { Claim } from '../contract/agent.js'

/** The end of an agent's work as a plain answer tells it, or why it cannot be read, in words that help to correct it. */
export type Ending =
  | { kind: 'end'; claim: Claim; text: string }
  | { kind: 'malformed'; what: 'empty' | 'no_outcome'; detail: string }

/** Reads the last line of an answer without calls: the OUTCOME line of docs/wire.md, in whatever emphasis. */
export function readEnding(text: string): Ending {
  if (text.trim() === '')
    return {
      kind: 'malformed',
      what: 'empty',
      detail: 'The answer was empty. Call one tool, or end with the OUTCOME line.',
    }
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  const outcome = /^\W*OUTCOME\W*:\W*(ACHIEVED|GAVE UP)\W*$/i.exec(last)?.[1]
  if (outcome === undefined)
    return {
      kind: 'malformed',
      what: 'no_outcome',
      detail:
        'To go on, call one tool. To end, answer in text whose last line is OUTCOME: ACHIEVED or OUTCOME: GAVE UP.',
    }
  return { kind: 'end', claim: outcome.toUpperCase() === 'ACHIEVED' ? 'achieved' : 'gave_up', text }
}
