import type { Exposure, SlipKind } from '../contract/index.js'
import { countKey } from '../model/chat.js'
import type { ReaderState } from '../model/chat.js'
import type { Profile } from './profile.js'
import { rateFor, slips } from './traits.js'
import type { Chance } from './traits.js'

/** Who answers, and how answers are told apart. */
export interface Sitting<T> {
  profile: Profile
  state: ReaderState
  /** The answer, where `wrong` says what goes wrong. */
  answer: (wrong: (chance: Chance) => boolean) => T
  /** Null: they are the same but for their prose. */
  compare: (right: T, wrong: T) => SlipKind | null
}

/** An answer under a supposition: what it asked, and which of that was undecided, in its order. */
interface Attempt<T> {
  answer: T
  asked: { key: string; of: Chance['trait']; wrong: boolean }[]
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

  const attempts: Attempt<T>[] = []

  function attempt(trait: Chance['trait'] | null): Attempt<T> {
    const outcome = (key: string, of: Chance['trait']): boolean => decided.get(key) ?? of === trait
    // An answer depends on nothing but what it asked.
    const known = attempts.find(({ asked }) => asked.every(({ key, of, wrong }) => outcome(key, of) === wrong))
    if (known !== undefined) return known
    const asked: Attempt<T>['asked'] = []
    const open: Attempt<T>['open'] = new Map()
    const answer = sitting.answer((chance) => {
      const { key } = chance
      const wrong = outcome(key, chance.trait)
      asked.push({ key, of: chance.trait, wrong })
      if (!decided.has(key) && !open.has(key)) open.set(key, chance)
      return wrong
    })
    const made = { answer, asked, open }
    attempts.push(made)
    return made
  }

  function expose(chance: Chance, kind: SlipKind): boolean {
    const { trait, subject, d } = chance
    const { p, v = 1, stands = false } = chance.weigh()
    const [k, before] = state.counts[countKey(chance)] ?? [0, 0]
    const rate = rateFor(profile, trait, p)
    const q = Math.min(1, v * (before > 0 && stands ? Math.max(rate, profile.persistence) : rate))
    const erred = slips({ profile, state }, { trait, subject, d, k, q })
    exposures.push({ trait, subject, d, k, kind, q, v, erred })
    return erred
  }

  const undecided = ({ open }: Attempt<T>, trait: Chance['trait'] | null): [string, Chance] | undefined => {
    for (const entry of open) {
      if (!decided.has(entry[0]) && (trait === null || entry[1].trait === trait)) return entry
    }
    return undefined
  }

  /** Decides all chances of a trait; gives the answer that stands then. */
  function decide(trait: Chance['trait'], right: Attempt<T>): Attempt<T> {
    let wrong = attempt(trait)
    if (compare(right.answer, wrong.answer) === null) {
      for (const [key, chance] of right.open) if (chance.trait === trait && !decided.has(key)) decided.set(key, false)
      return right
    }
    for (;;) {
      const [key, chance] = undecided(wrong, trait) ?? []
      if (key === undefined || chance === undefined) return wrong
      decided.set(key, false)
      const spared = attempt(trait)
      const kind = compare(spared.answer, wrong.answer)
      if (kind !== null && expose(chance, kind)) decided.set(key, true)
      else wrong = spared
    }
  }

  let right = attempt(null)
  for (;;) {
    const [, chance] = undecided(right, null) ?? []
    if (chance === undefined) return { answer: right.answer, exposures }
    right = decide(chance.trait, right)
  }
}
