import { expect, it } from 'vitest'
import { countExposures } from '../model/chat.js'
import type { ReaderState } from '../model/chat.js'
import { createRandom } from '../sim/random.js'
import { normalQuantile } from '../stats/distributions.js'
import { settle } from './exposures.js'
import { parseProfile } from './profile.js'
import { draw, slips } from './traits.js'

interface Place {
  scenario: number
  role?: string | null
  replica?: number
  agent?: string
  d?: number
  k?: number
  q?: number
  correlation?: number
}
type Slips = (place: Place) => boolean

/** As the meter makes it, but where the role is all the same. */
const seedOf = (scenario: number, role: string | null): number =>
  role === null ? scenario : createRandom(`slips-${scenario}`).seed('model', role)

const real: Slips = ({ scenario, role = null, replica = 0, agent = 'a', d = 0, k = 0, q = 0.1, correlation = 0.5 }) =>
  slips(
    {
      profile: profileOf(correlation),
      state: { agent, seed: seedOf(scenario, role), replica },
    },
    { trait: 'patience', subject: 'a pump', d, k, q },
  )
const profiles = new Map<number, ReturnType<typeof parseProfile>>()
function profileOf(correlation: number): ReturnType<typeof parseProfile> {
  const known = profiles.get(correlation) ?? parseProfile(`sim:careful?correlation=${correlation}`)
  profiles.set(correlation, known)
  return known
}

/** φ of two sets of draws, as one counts them. */
function phi(pairs: readonly (readonly [boolean, boolean])[]): number {
  const share = (of: (pair: readonly [boolean, boolean]) => boolean): number => pairs.filter(of).length / pairs.length
  const [one, other, both] = [share(([a]) => a), share(([, b]) => b), share(([a, b]) => a && b)]
  return (both - one * other) / Math.sqrt(one * (1 - one) * other * (1 - other))
}
const many = <T>(count: number, of: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => of(index))

/** The share of seeds in which a scripted agent gets through so many exposures of one decision. */
function survivors(errs: Slips, exposures: number, seeds = 2_000): number {
  const through = many(seeds, (scenario) => !many(exposures, (k) => k).some((k) => errs({ scenario, k })))
  return through.filter(Boolean).length / seeds
}

const LIKENESS = [
  [0.1, 0.5, 0.247],
  [0.03, 0.5, 0.17],
  [0.3, 0.5, 0.32],
] as const

/** What errors with a common cause must be; gives what does not hold. */
function wrongWith(errs: Slips, draws: number): string[] {
  const within = (name: string, value: number, wanted: number, margin: number): string[] =>
    Math.abs(value - wanted) <= margin ? [] : [name]
  return [
    ...LIKENESS.flatMap(([q, correlation, wanted]) => {
      const pairs = many(draws, (scenario) => {
        const at = { scenario, q, correlation }
        return [errs({ ...at, k: 0 }), errs({ ...at, k: 1 })] as const
      })
      const rate = pairs.filter(([first]) => first).length / draws
      return [...within('rate', rate, q, 0.01), ...within('likeness', phi(pairs), wanted, 0.015)]
    }),
    ...within('six', survivors(errs, 6), 0.679, 0.035),
    ...within('twenty', survivors(errs, 20), 0.484, 0.035),
    ...[{ d: 1 }, { role: 'other' }].flatMap((other) => {
      const role = 'one'
      const pairs = many(4_000, (scenario) => [errs({ scenario, role }), errs({ scenario, role, ...other })] as const)
      return within(`apart by ${Object.keys(other).join('')}`, phi(pairs), 0, 0.06)
    }),
  ]
}

it('errs as often as its rate says, and as much alike as its correlation says, decision by decision and role by role', () => {
  expect(wrongWith(real, 100_000)).toEqual([])
}, 60_000)

type Bug = 'ρ for √ρ' | 'no Φ' | 'k stuck' | 'd left out' | 'role left out'
const broken =
  (bug: Bug): Slips =>
  ({ scenario, role = null, d = 0, k = 0, q = 0.1, correlation = 0.5 }) => {
    const key = [
      seedOf(scenario, bug === 'role left out' ? null : role),
      '',
      'patience',
      'a pump',
      bug === 'd left out' ? 0 : d,
    ]
    const quantile = bug === 'no Φ' ? (u: number) => u : normalQuantile
    const shared = quantile(draw(...key))
    const own = quantile(draw(...key, 0, bug === 'k stuck' ? 0 : k))
    const [a, b] =
      bug === 'ρ for √ρ' ? [correlation, 1 - correlation] : [Math.sqrt(correlation), Math.sqrt(1 - correlation)]
    return a * shared + b * own < quantile(q)
  }

it.each<[Bug, string]>([
  ['ρ for √ρ', 'rate'],
  ['no Φ', 'rate'],
  ['k stuck', 'likeness'],
  ['d left out', 'apart by d'],
  ['role left out', 'apart by role'],
])('errors drawn with a planted bug (%s) are found out', (bug, found) => {
  expect(wrongWith(broken(bug), 10_000)).toContain(found)
})

it('replicas share what the errors of a decision have in common, and agents all of it unless they draw their own', () => {
  const pairs = (other: Partial<Place>) =>
    phi(many(8_000, (scenario) => [real({ scenario }), real({ scenario, ...other })] as const))
  expect(Math.abs(pairs({ replica: 1 }) - 0.247)).toBeLessThan(0.06)
  expect(pairs({ agent: 'b' })).toBeCloseTo(1, 6)
  const own = parseProfile('sim:careful?draws=own')
  const errsAs = (agent: string, seed: number): boolean =>
    slips(
      { profile: own, state: { agent, seed, replica: 0 } },
      { trait: 'patience', subject: 'a pump', d: 0, k: 0, q: 0.1 },
    )
  const apart = many(8_000, (seed) => [errsAs('a', seed), errsAs('b', seed)] as const)
  expect(Math.abs(phi(apart))).toBeLessThan(0.06)
  expect(Math.abs(apart.filter(([first]) => first).length / 8_000 - 0.1)).toBeLessThan(0.015)
})

it('errs wherever it erred at a lower rate', () => {
  const erring = (q: number): Set<number> =>
    new Set(many(2_000, (seed) => seed).filter((scenario) => real({ scenario, q })))
  const [few, more] = [erring(0.1), erring(0.3)]
  expect([...few].filter((seed) => !more.has(seed))).toEqual([])
  expect(few.size).toBeLessThan(more.size)
})

/** An agent whose every answer could go wrong in the same way, until one does. */
function lives(seed: number, exposures: number, model: string): boolean {
  const profile = parseProfile(model)
  const state: ReaderState = { agent: 'scripted', seed, replica: 0, counts: {} }
  return !many(exposures, (call) => call).some(() => {
    const said = settle({
      profile,
      state,
      answer: (wrong) =>
        wrong({
          key: 'patience 0 a pump',
          trait: 'patience',
          subject: 'a pump',
          d: 0,
          weigh: () => ({ p: 0.1, stands: true }),
        }),
      compare: (right, wrong) => (right === wrong ? null : 'commit'),
    })
    countExposures(state.counts, said.exposures)
    return said.answer
  })
}

it.each([
  [6, 0.679],
  [20, 0.484],
])('a scripted agent with %s exposures gets through as often as the common cause says', (exposures, wanted) => {
  const through = many(2_000, (seed) => lives(seed, exposures, 'sim:careful?visible=1&persistence=0')).filter(Boolean)
  expect(Math.abs(through.length / 2_000 - wanted)).toBeLessThan(0.035)
})
