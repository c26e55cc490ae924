import type { Profile } from './profile.js'
import type { Facts, KnownDocument } from './read/facts.js'
import type { OperationManual } from './read/manual.js'
import { subjectOf } from './read/rule.js'
import type { Rule } from './read/rule.js'
import { mask } from './read/text.js'
import type { Process } from './think/library.js'

/**
 * A number in [0, 1) that is a pure function of its key: 53 bits of a 64-bit mixing hash (two rounds of 32-bit
 * multiplication, after cyrb53). Equal keys give equal draws, whenever and however often they are drawn.
 */
export function draw(...key: readonly (string | number)[]): number {
  const text = JSON.stringify(key)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = mixed(high, low)
  low = mixed(low, high)
  high = mixed(high, low)
  return ((high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0)) / 0x20_0000_0000_0000
}

function mixed(a: number, b: number): number {
  return Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
}

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
  /** Numbers in [0, 1) for who retypes a text: where a line is lost, if one is; null: none is. */
  slips(text: string): number | null
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
    slips: (text) => (u('fidelity', mask(text), 0) < profile.fidelity ? null : u('slip', mask(text), 0)),
    wellFormed: (subject, n) => u('syntax', subject, n) < profile.syntax,
  }
}
