import { exposureKey } from '../model/chat.js'
import type { ReaderState } from '../model/chat.js'
import { anyOf, errs, rateOf } from '../stats/common-cause.js'
import { ERRORS } from './profile.js'
import type { Probability, Profile } from './profile.js'
import type { Dated, Facts, KnownDocument } from './read/facts.js'
import type { OperationManual } from './read/manual.js'
import { satisfies, subjectOf } from './read/rule.js'
import type { BoundRule, Rule } from './read/rule.js'
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

/** What may go wrong in one decision. */
export interface Chance {
  /** Of trait, subject and d. It holds no name, so that renaming changes nothing. */
  key: string
  trait: Probability | 'handoff'
  subject: string
  /** The ordinal of the call that began what is pending among the accepted calls alike; 0 where nothing is. */
  d: number
  weigh: () => Weight
}

/** What is worked out only where a chance makes a difference. */
interface Weight {
  /** How likely it is to go wrong, and by how much the state in the prompt changes that. */
  p: number
  v?: number
  /** Would an error of before stand in the prompt, or what came of it? */
  stands?: boolean
}

/** Does the k-th exposure of a chance go wrong? */
export function slips(
  { profile, state }: { profile: Profile; state: Omit<ReaderState, 'counts'> },
  { trait, subject, d, k, q }: { trait: string; subject: string; d: number; k: number; q: number },
): boolean {
  if (q <= 0 || q >= 1) return q >= 1
  const key = [state.seed, profile.draws === 'own' ? state.agent : '', trait, subject, d]
  const draws = { shared: draw(...key), own: draw(...key, state.replica, k) }
  return errs(draws, q, profile[likenessOf(trait)])
}

const likenessOf = (trait: string): 'syntaxCorrelation' | 'correlation' =>
  trait === 'syntax' ? 'syntaxCorrelation' : 'correlation'

/** So many exposures are a decision, where rates are held `per: decision`. */
const EXPOSURES = 6
const rates = new Map<string, number>()

/**
 * How likely one exposure goes wrong where a trait says p. Per decision, six of them go wrong as often as they do with
 * the default correlation, whatever the correlation is.
 */
export function rateFor(profile: Profile, trait: string, p: number): number {
  const likeness = likenessOf(trait)
  const [usual, own] = [ERRORS[likeness].value, profile[likeness]]
  if (profile.per === 'exposure' || own === usual || p <= 0 || p >= 1) return p
  const key = `${p} ${usual} ${own}`
  const rate = rates.get(key) ?? rateOf(anyOf(EXPOSURES, p, usual), EXPOSURES, own)
  if (rates.size >= 1_000) rates.clear()
  rates.set(key, rate)
  return rate
}

/** The prompt length (characters) at which `attention` is what its number says. */
const ATTENTION_LENGTH = 8_000

/** Who lets time pass for what: the operation that needs the rule (null: the goal itself), and what is to bring it about (null: others). */
export interface Wait {
  rule: BoundRule
  consumer: OperationManual | null
  process: Process | null
}

/**
 * Where a reader errs. Each method is one trait, asked whether the reader does it right. Whether that is a chance to err
 * at all is left to who asks: it is none where the answer is the same both ways.
 */
export interface Mind {
  profile: Profile
  waits(wait: Wait): boolean
  admitsPending(wait: Wait): boolean
  /** `stands`: it has gone on looking already. */
  staysOn(wait: Wait, stands: boolean): boolean
  readsFirst(document: KnownDocument): boolean
  notices(rule: Rule, operation: OperationManual): boolean
  /** A number in [0, 1) for a guess about what the document would tell. */
  guess(document: KnownDocument): number
  /** Numbers in [0, 1) for what is lost of a text that is retyped; null: nothing is. */
  retypes(text: string): number | null
  /** The same for what an earlier call has handed over. `held`: the prompt holds it as well. */
  receives(subject: string, d: number, held: boolean): number | null
  malforms(subject: string): boolean
}

/** Chances to notice a rule: they are asked again and again of one prompt, in every way in which it may be answered. */
export type Noticed = Map<Rule, Map<OperationManual, Chance>>

/** The reader, as it goes by what is known. */
export type MindFor = (facts: Facts) => Mind

/** `rules`: kept as long as these facts are, and no longer. */
export function createMind(
  facts: Facts,
  profile: Profile,
  wrong: (chance: Chance) => boolean,
  rules: Noticed = new Map(),
): Mind {
  const { seed, goal, size, events } = facts
  const chance = (trait: Chance['trait'], subject: string, d: number, weigh: () => Weight): Chance => ({
    key: exposureKey({ trait, subject, d }),
    trait,
    subject,
    d,
    weigh,
  })
  const fails = (...of: Parameters<typeof chance>): boolean => wrong(chance(...of))

  /** The accepted calls that a wait begins with, or that begin it anew: of its process, else of what needs it. */
  const begins = ({ rule, consumer, process }: Wait) => {
    const operation = process?.operation ?? consumer
    return (event: Dated): boolean =>
      event.kind === 'operated' &&
      event.accepted &&
      event.tool === (operation?.tool ?? rule.tool) &&
      (operation === null || event.action === operation.action)
  }
  const ordinal = (wait: Wait): number => wait.process?.earlier ?? events.filter(begins(wait)).length

  /** What the newest value of the awaited property does to an error that needs it to be `as` it says: met, or not. */
  function visibility(wait: Wait, as: boolean): number {
    const { tool, property } = wait.rule
    const at = events.findLastIndex((each) => each.kind === 'seen' && each.tool === tool && each.property === property)
    const seen = events[at]
    if (seen?.kind !== 'seen') return 1
    const speaksForIt = satisfies(seen.value, wait.rule) === as
    if (at > events.findLastIndex(begins(wait))) return speaksForIt ? 1 : profile.visible
    return speaksForIt ? profile.misled : 1
  }

  /** Has the operation been called since this wait began? */
  function hasRushed(wait: Wait): boolean {
    const { consumer, rule, process } = wait
    const since = events.findLastIndex(
      (each) => (process === null && each.kind === 'seen' && each.property === rule.property) || begins(wait)(each),
    )
    const called = events.findLastIndex(
      (each) => each.kind === 'operated' && each.tool === consumer?.tool && each.action === consumer.action,
    )
    return called > since
  }
  const subjectFor = ({ rule }: Wait, prose: string): string => `${subjectOf(rule)} / ${prose}`

  return {
    profile,
    waits(wait) {
      const subject = subjectFor(wait, wait.consumer?.prose ?? 'goal')
      return !fails('patience', subject, ordinal(wait), () => ({
        p: 1 - profile.patience,
        v: visibility(wait, true),
        stands: hasRushed(wait),
      }))
    },
    admitsPending: (wait) =>
      !fails('honesty', mask(goal.text), 0, () => ({ p: 1 - profile.honesty, v: visibility(wait, true) })),
    staysOn(wait, stands) {
      const { process, consumer } = wait
      const subject = subjectFor(wait, (process?.operation ?? consumer)?.prose ?? 'goal')
      return fails('fixation', subject, ordinal(wait), () => ({
        p: profile.fixation,
        v: visibility(wait, false),
        stands,
      }))
    },
    readsFirst: (document) => !fails('diligence', mask(document.summary), 0, () => ({ p: 1 - profile.diligence })),
    notices(rule, operation) {
      const known = rules.get(rule)?.get(operation)
      if (known !== undefined) return !wrong(known)
      const { tool, action, prose } = operation
      const made = chance('attention', `${subjectOf(rule)} / ${prose}`, 0, () => ({
        p: 1 - profile.attention ** (size / ATTENTION_LENGTH),
        stands: events.some((each) => each.kind === 'operated' && each.tool === tool && each.action === action),
      }))
      rules.set(rule, (rules.get(rule) ?? new Map<OperationManual, Chance>()).set(operation, made))
      return !wrong(made)
    },
    guess: (document) => draw(seed, 'guess', mask(document.summary)),
    retypes: (text) =>
      fails('fidelity', mask(text), 0, () => ({ p: 1 - profile.fidelity })) ? draw(seed, 'lost', mask(text)) : null,
    receives(subject, d, held) {
      const lost = fails('handoff', subject, d, () => ({ p: profile.handoff, v: held ? 1 - profile.restore : 1 }))
      return lost ? draw(seed, 'lost', subject, d) : null
    },
    malforms: (subject) => fails('syntax', subject, 0, () => ({ p: 1 - profile.syntax })),
  }
}
