import { expect, it } from 'vitest'
import { inSections } from './fixtures/situation.js'
import { parseProfile } from './profile.js'
import type { Probability } from './profile.js'
import type { OperationManual } from './read/manual.js'
import type { BoundRule } from './read/rule.js'
import type { Process } from './think/library.js'
import { createMind, slips } from './traits.js'
import type { Mind, Wait } from './traits.js'

const rule: BoundRule = { tool: 'a', property: 'b', op: 'is', value: 'HOT', unit: null, prose: 'heat' }
const operation: OperationManual = {
  tool: 'a',
  action: 'c',
  prose: 'It heats.',
  args: [],
  requires: [],
  effects: [],
  completions: [],
  creates: [],
}
const process: Process = {
  operation,
  operationId: null,
  earlier: 0,
  startedAt: 0,
  endedAt: null,
  before: new Map(),
  tells: new Set(),
}
const wait: Wait = { rule, consumer: operation, process }
const document = { id: 'd', summary: 'Heat', covers: [], state: 'listed' as const, manual: null }

/** Whether the reader does as the trait's number says. */
const LIVED: Record<Probability, (mind: Mind) => boolean> = {
  patience: (mind) => mind.waits(wait),
  diligence: (mind) => mind.readsFirst(document),
  attention: (mind) => mind.notices(rule, operation),
  fixation: (mind) => mind.staysOn(wait, false),
  honesty: (mind) => mind.admitsPending(wait),
  syntax: (mind) => !mind.malforms('operate'),
  fidelity: (mind) => mind.retypes('A text.') === null,
}
const SEEDS = 2_000
const { facts } = inSections({ goal: 'Heat.', documents: {}, verbs: 'claim' })

function lived(trait: keyof typeof LIVED, value: number, size = 8_000): Set<number> {
  const profile = parseProfile(`sim:careful?${trait}=${value}`)
  const seeds = Array.from({ length: SEEDS }, (_, seed) => seed)
  return new Set(
    seeds.filter((seed) =>
      LIVED[trait](
        createMind({ ...facts, seed, size }, profile, ({ weigh, ...key }) =>
          slips({ profile, state: { agent: 'a', seed, replica: 0 } }, { ...key, k: 0, q: weigh().p }),
        ),
      ),
    ),
  )
}

it.each(['patience', 'diligence', 'attention', 'fixation', 'honesty', 'syntax', 'fidelity'] as const)(
  'has %s as often as its number says, and with more of it never less',
  (trait) => {
    const [none, some, more, all] = [0, 0.3, 0.7, 1].map((value) => lived(trait, value))
    expect([none?.size, all?.size]).toEqual([0, SEEDS])
    expect(Math.abs((some?.size ?? 0) / SEEDS - 0.3)).toBeLessThan(0.035)
    expect(Math.abs((more?.size ?? 0) / SEEDS - 0.7)).toBeLessThan(0.035)
    expect([...(some ?? [])].filter((seed) => more?.has(seed) !== true)).toEqual([])
  },
)

it('misses more rules in a longer prompt, and none for a perfect reader', () => {
  const [short, long] = [lived('attention', 0.8, 4_000), lived('attention', 0.8, 32_000)]
  expect(Math.abs(short.size / SEEDS - 0.8 ** 0.5)).toBeLessThan(0.03)
  expect(Math.abs(long.size / SEEDS - 0.8 ** 4)).toBeLessThan(0.035)
  expect([...long].filter((seed) => !short.has(seed))).toEqual([])
  expect(lived('attention', 1, 1_000_000).size).toBe(SEEDS)
})
