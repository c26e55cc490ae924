import { UserError } from '../contract/index.js'

/** Each trait is a probability, and says what it is the probability of. */
export const PROBABILITIES = {
  patience: 'waits for its own pending process before it builds on it',
  diligence: 'reads a document before it operates what the document covers',
  attention: 'does not miss a rule, in a prompt of 8 000 characters',
  fixation: 'goes on looking at what is ready',
  honesty: 'does not claim a goal that is still pending',
  syntax: 'gives a well-formed answer',
  fidelity: 'retypes a text word for word',
} as const

export const NUMBERS = {
  stallCalls: { value: 12, min: 0, max: 10_000, meaning: 'harmless calls of a stall, before it acts' },
  pollMs: { value: 2_000, min: 1, max: 86_400_000, meaning: 'the pause it asks for between two looks (ms)' },
  pollGrowth: { value: 1, min: 1, max: 10, meaning: 'how many times the pause before each further pause is' },
  refusals: { value: 2, min: 1, max: 1_000, meaning: 'equal refusals before it gives up' },
  waitTimeoutMs: { value: 300_000, min: 1, max: 86_400_000, meaning: 'the time-out it asks for in a wait (ms)' },
  looks: { value: 3, min: 0, max: 1_000, meaning: 'looks at what is ready, when fixated' },
} as const

/** How its errors hang together. The defaults are our choice (docs/simulated-model.md#errors). */
export const ERRORS = {
  correlation: { value: 0.5, min: 0, max: 1, meaning: 'how alike the errors of one decision are' },
  syntaxCorrelation: { value: 0, min: 0, max: 1, meaning: 'the same, of malformed answers' },
  visible: {
    value: 0.5,
    min: 0,
    max: 1,
    meaning: 'what a state in the prompt that speaks against an error leaves of it',
  },
  misled: {
    value: 1,
    min: 1,
    max: 10,
    meaning: 'how much likelier an outdated state that speaks for an error makes it',
  },
  persistence: {
    value: 1,
    min: 0,
    max: 1,
    meaning: 'errs at least so likely again, while an error of the decision stands in the prompt',
  },
  handoff: { value: 0, min: 0, max: 1, meaning: 'what a call reads of an earlier one has lost a part' },
  restore: { value: 0.5, min: 0, max: 1, meaning: 'fills in what was lost, where its own prompt holds it' },
} as const
const DRAWS = ['common', 'own'] as const
/** What stays as it is when the correlation changes: how likely an exposure goes wrong, or a decision of six. */
const PER = ['exposure', 'decision'] as const

export const IMPASSES = ['act', 'stall', 'give-up'] as const
export type Impasse = (typeof IMPASSES)[number]
export type Probability = keyof typeof PROBABILITIES

/** Who reads: all that decides an answer beside the request. `draws`: of all agents in common, or of each its own. */
export type Profile = {
  name: string
  impasse: Impasse
  draws: (typeof DRAWS)[number]
  per: (typeof PER)[number]
} & Record<Probability | keyof typeof NUMBERS | keyof typeof ERRORS, number>

const CAREFUL: Omit<Profile, 'name'> = {
  patience: 1,
  diligence: 1,
  attention: 1,
  fixation: 0,
  honesty: 1,
  syntax: 1,
  fidelity: 1,
  impasse: 'act',
  draws: 'common',
  per: 'exposure',
  stallCalls: NUMBERS.stallCalls.value,
  pollMs: NUMBERS.pollMs.value,
  pollGrowth: NUMBERS.pollGrowth.value,
  refusals: NUMBERS.refusals.value,
  waitTimeoutMs: NUMBERS.waitTimeoutMs.value,
  looks: NUMBERS.looks.value,
  correlation: ERRORS.correlation.value,
  syntaxCorrelation: ERRORS.syntaxCorrelation.value,
  visible: ERRORS.visible.value,
  misled: ERRORS.misled.value,
  persistence: ERRORS.persistence.value,
  handoff: ERRORS.handoff.value,
  restore: ERRORS.restore.value,
}

/** The named profiles, as they differ from `careful`. None of them was fitted to anything. */
export const PROFILES: Readonly<Record<string, Partial<Profile>>> = {
  careful: {},
  typical: {
    patience: 0.9,
    diligence: 0.95,
    attention: 0.98,
    fixation: 0.05,
    honesty: 0.95,
    syntax: 0.99,
    fidelity: 0.95,
    handoff: 0.03,
  },
  hasty: { patience: 0.3, diligence: 0.5, attention: 0.95, honesty: 0.7, syntax: 0.97, fidelity: 0.8, handoff: 0.1 },
  distracted: {
    patience: 0.8,
    diligence: 0.8,
    attention: 0.8,
    fixation: 0.1,
    honesty: 0.9,
    syntax: 0.97,
    fidelity: 0.7,
    handoff: 0.15,
  },
  fixated: {
    patience: 0.98,
    diligence: 0.98,
    attention: 0.98,
    fixation: 0.6,
    syntax: 0.99,
    fidelity: 0.98,
    handoff: 0.02,
  },
}
const DEFAULT = 'typical'

/** `sim:PROFILE` or `sim:PROFILE?trait=value&…`. Throws `UserError` for what it does not know. */
export function parseProfile(name: string): Profile {
  const [, profile = '', settings = ''] = /^sim:([^?]*)(?:\?(.*))?$/.exec(name) ?? fail(name)
  const base = PROFILES[profile === '' ? DEFAULT : profile]
  if (base === undefined || !Object.hasOwn(PROFILES, profile === '' ? DEFAULT : profile)) {
    throw new UserError(`No simulated profile named "${profile}". Known: ${Object.keys(PROFILES).join(', ')}.`)
  }
  const set: Profile = { ...CAREFUL, ...base, name }
  const seen = new Set<string>()
  for (const setting of settings.split('&').filter((each) => each !== '')) {
    const [trait = ''] = setting.split('=')
    if (seen.has(trait)) reject(`The trait ${trait} is set twice in "${name}".`)
    seen.add(trait)
    apply(set, setting)
  }
  return set
}

function fail(name: string): never {
  throw new UserError(`"${name}" is no simulated model: write sim:PROFILE or sim:PROFILE?trait=value&trait=value.`)
}

function apply(profile: Profile, setting: string): void {
  const [trait = '', ...rest] = setting.split('=')
  const value = rest.join('=')
  if (trait === 'impasse') profile.impasse = oneOf(trait, IMPASSES, value)
  else if (trait === 'draws') profile.draws = oneOf(trait, DRAWS, value)
  else if (trait === 'per') profile.per = oneOf(trait, PER, value)
  else if (isProbability(trait)) profile[trait] = within(trait, value, 0, 1)
  else if (isError(trait)) profile[trait] = within(trait, value, ERRORS[trait].min, ERRORS[trait].max)
  else if (isNumber(trait)) {
    const { min, max } = NUMBERS[trait]
    profile[trait] = within(trait, value, min, max)
    if (!Number.isInteger(profile[trait])) reject(`The trait ${trait} takes a whole number, not "${value}".`)
  } else {
    const known = [PROBABILITIES, ERRORS, { draws: '', per: '', impasse: '' }, NUMBERS].flatMap((table) =>
      Object.keys(table),
    )
    reject(`No trait named "${trait}". Known: ${known.join(', ')}.`)
  }
}

const isProbability = (trait: string): trait is Probability => Object.hasOwn(PROBABILITIES, trait)
const isError = (trait: string): trait is keyof typeof ERRORS => Object.hasOwn(ERRORS, trait)
const isNumber = (trait: string): trait is keyof typeof NUMBERS => Object.hasOwn(NUMBERS, trait)

function oneOf<T extends string>(trait: string, known: readonly T[], value: string): T {
  return (
    known.find((each) => each === value) ??
    reject(`The trait ${trait} takes one of ${known.join(', ')}, not "${value}".`)
  )
}

function within(trait: string, text: string, min: number, max: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= min && value <= max) return value
  return reject(`The trait ${trait} takes a number from ${min} to ${max}, not "${text}".`)
}

function reject(sentence: string): never {
  throw new UserError(sentence)
}
