import type { Exposure, SlipKind } from '../contract/index.js'
import { exposureKey } from '../model/chat.js'
import type { ReaderState } from '../model/chat.js'
import type { Profile } from './profile.js'
import { slips } from './traits.js'
import type { Chance } from './traits.js'

/** Who answers, and how answers are told apart. */
export interface Sitting<T> {
  profile: Profile
  state: ReaderState
  /** The answer, where `wrong` says what goes wrong. */
  answer(wrong: (chance: Chance) => boolean): T
  /** Null: they are the same but for their prose. */
  compare(right: T, wrong: T): SlipKind | null
}

/** An answer under a supposition, and the undecided chances that it came across, in their order. */
interface Attempt<T> {
  answer: T
  open: Map<string, Chance>
}

/**
 * The answer, and the exposures in it. A trait is asked last of all: where the answers with the trait wrong and with it
 * right are the same, there is no chance to err, and nothing is drawn. Else one chance after the other is decided, with
 * the later ones of the trait wrong, so that two errors which only together make a difference are found as well.
 */
export function settle<T>(sitting: Sitting<T>): { answer: T; exposures: Exposure[] } {
  const { profile, state, compare } = sitting
  const decided = new Map<string, boolean>()
  const exposures: Exposure[] = []

  function attempt(wrong: Chance['trait'] | null): Attempt<T> {
    const open = new Map<string, Chance>()
    const answer = sitting.answer((chance) => {
      const key = exposureKey(chance)
      const known = decided.get(key)
      if (known !== undefined) return known
      if (!open.has(key)) open.set(key, chance)
      return chance.trait === wrong
    })
    return { answer, open }
  }

  function expose(key: string, chance: Chance, kind: SlipKind): boolean {
    const { trait, subject, d, v } = chance
    const [k, before] = state.counts[key] ?? [0, 0]
    const p = before > 0 && chance.stands ? Math.max(chance.p, profile.persistence) : chance.p
    const q = Math.min(1, p * v)
    const erred = slips({ profile, state }, { trait, subject, d, k, q })
    exposures.push({ trait, subject, d, k, kind, q, v, erred })
    return erred
  }

  /** Decides all chances of a trait; gives the answer that stands then. */
  function decide(trait: Chance['trait'], right: Attempt<T>): Attempt<T> {
    const own = [...right.open].filter(([, chance]) => chance.trait === trait)
    let wrong = attempt(trait)
    if (compare(right.answer, wrong.answer) === null) {
      for (const [key] of own) decided.set(key, false)
      return right
    }
    for (let first = true; ; first = false) {
      const [key, chance] = [...wrong.open].find(([, each]) => each.trait === trait) ?? []
      if (key === undefined || chance === undefined) return wrong
      decided.set(key, false)
      // Where it was the only one to be asked, the right answer is known already.
      const spared = first && own.length === 1 ? right : attempt(trait)
      const kind = compare(spared.answer, wrong.answer)
      if (kind !== null && expose(key, chance, kind)) decided.set(key, true)
      else wrong = spared
      for (const known of decided.keys()) wrong.open.delete(known)
    }
  }

  let right = attempt(null)
  for (;;) {
    const next = [...right.open].find(([key]) => !decided.has(key))
    if (next === undefined) return { answer: right.answer, exposures }
    right = decide(next[1].trait, right)
  }
}
