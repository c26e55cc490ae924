import type { Claim, Happening } from '../define/index.js'
import type { Piece } from './line-splitter.js'
import { readMessage } from './messages.js'
import type { FromProgram } from './messages.js'
import { withoutSecrets } from './secrets.js'

const MAX_GARBAGE = 100
const MAX_TEXT = 1_000

/** What a program writes, taken for what it is: the word of a stranger. */
export interface Testimony {
  /** Throws where the program is no agent: it floods, or means nothing. */
  hear(piece: Piece): void
  /** A text of the program as a trace may hold it; `tail`: rather its end. */
  told(text: string, part?: 'head' | 'tail'): string
}

export function createTestimony(parts: {
  agent: string
  record: (happening: Happening) => void
  /** Returns why the claim means nothing, or null. */
  claim: (goal: number, claim: Claim, text: string) => string | null
}): Testimony {
  const { agent, record } = parts
  let garbage = 0

  function told(text: string, part: 'head' | 'tail' = 'head'): string {
    const clean = withoutSecrets(text, process.env)
    if (clean.length <= MAX_TEXT) return clean
    return part === 'head' ? `${clean.slice(0, MAX_TEXT)} …` : `… ${clean.slice(-MAX_TEXT)}`
  }

  /** Noted like a model's answer that cannot be carried out. */
  function complain(why: string, text: string): void {
    garbage += 1
    record({ kind: 'malformed', what: 'line', detail: told(text === '' ? `${why}.` : `${why}: ${text}`), retry: false })
    if (garbage >= MAX_GARBAGE)
      throw new Error(`The program of ${agent} wrote ${garbage} lines that mean nothing. The last: ${told(why)}.`)
  }

  function take(message: FromProgram): void {
    switch (message.type) {
      case 'note':
        return record({ kind: 'program', what: 'note', text: told(message.text) })
      case 'usage': {
        const { type: _type, ...usage } = message
        return record({ kind: 'reported', ...usage })
      }
      case 'claim': {
        const objection = parts.claim(message.goal, message.claim, told(message.text))
        if (objection !== null) complain(objection, message.text)
      }
    }
  }

  return {
    told,
    hear(piece) {
      if (piece.kind === 'flood') throw new Error(`The program of ${agent} wrote more than a trial takes.`)
      if (piece.kind === 'long') return complain('A line is too long', '')
      const message = readMessage(piece.text)
      if (message.type === 'garbage') complain(message.why, piece.text)
      else take(message)
    },
  }
}
