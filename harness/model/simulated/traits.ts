import type { Process } from './process.js'
import { draw } from './draw.js'
import type { Facts, KnownDocument } from './facts.js'
import type { OperationManual } from './manual.js'
import type { Profile } from './profile.js'
import { subjectOf } from './rule.js'
import type { Rule } from './rule.js'
import { mask } from './words.js'

/** The prompt length (characters) at which `attention` is what its number says. */
const ATTENTION_LENGTH = 8_000

/**
 * Where a reader errs. Each is a draw on the prose of what is decided, never on a name, and on how often it was decided
 * before: asking again changes nothing.
 */
export interface Mind {
  profile: Profile
  waits(rule: Rule, consumer: OperationManual, process: Process): boolean
  admitsPending(process: Process): boolean
  staysOn(rule: Rule, process: Process): boolean
  readsFirst(document: KnownDocument): boolean
  notices(rule: Rule, operation: OperationManual): boolean
  /** A number in [0, 1) for a guess about what the document would tell. */
  guess(document: KnownDocument): number
  /** Is the answer to this decision well-formed? `n` counts decisions alike before it and corrections of it. */
  wellFormed(subject: string, n: number): boolean
}

export function createMind({ seed, goal, size }: Facts, profile: Profile): Mind {
  const u = (trait: string, subject: string, n: number) => draw(seed, trait, subject, n)
  return {
    profile,
    waits: (rule, consumer, { earlier }) =>
      u('patience', `${subjectOf(rule)} / ${consumer.prose}`, earlier) < profile.patience,
    admitsPending: ({ earlier }) => u('honesty', mask(goal.text), earlier) < profile.honesty,
    staysOn: (rule, { operation, earlier }) =>
      u('fixation', `${subjectOf(rule)} / ${operation.prose}`, earlier) < profile.fixation,
    readsFirst: (document) => u('diligence', mask(document.summary), 0) < profile.diligence,
    notices: (rule, { prose }) =>
      u('attention', `${subjectOf(rule)} / ${prose}`, 0) < profile.attention ** (size / ATTENTION_LENGTH),
    guess: (document) => u('guess', mask(document.summary), 0),
    wellFormed: (subject, n) => u('syntax', subject, n) < profile.syntax,
  }
}
