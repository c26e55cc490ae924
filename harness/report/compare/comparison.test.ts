import { expect, test } from 'vitest'
import type { MetricComparison, TrialLine } from '../../contract/index.js'
import { createRandom } from '../../sim/random.js'
import { compare } from './comparison.js'
import type { CompareOptions } from './comparison.js'
import { metrics, noisyTrial, side, trialsOf } from './fixtures/sides.js'
import { gate } from './gate.js'
import type { Side } from './pairs.js'

const random = createRandom('compare')
const noisy = (name: string, scenarios = 40): TrialLine[] => {
  const stream = random.stream(name)
  return trialsOf(scenarios, () => noisyTrial(stream, 0.7))
}
const figures = (metric: Record<string, number | boolean | null>) => ({ metrics: metric })

function verdictOn(
  base: Side,
  candidate: Side,
  column: string,
  options: Partial<CompareOptions> = {},
): MetricComparison {
  const { groups } = compare(base, candidate, { metrics, ...options })
  const found = groups[0]?.metrics.find((metric) => metric.column === column)
  if (found === undefined) throw new Error(`Nothing is said of ${column}.`)
  return found
}

test('a run equals itself: every metric is unchanged, nothing changed, no gate fails', () => {
  const comparison = compare(side('a', noisy('same')), side('b', noisy('same')), { metrics })
  const [group] = comparison.groups
  expect(new Set(group?.metrics.map(({ verdict }) => verdict))).toEqual(new Set(['unchanged']))
  expect(group?.changes).toEqual({ trials: 40, changed: 0, unpaired: 0, outcomes: 0, paths: 0, columns: {}, kinds: [] })
  expect(gate(comparison, 'change')).toEqual({ failures: [], undecided: null })
})

test('a rate is told by its difference, Newcombe’s interval and McNemar’s mid-p', () => {
  const solved = (times: number) =>
    trialsOf(40, (scenario) => figures({ solved: scenario < times }), { model: 'far-away' })
  expect(verdictOn(side('a', solved(40)), side('b', solved(28)), 'solved')).toMatchObject({
    kind: 'rate',
    n: 40,
    changed: 12,
    base: 1,
    candidate: 0.7,
    verdict: 'worse',
    beyondMargin: true,
    p: expect.closeTo(0.5 ** 12, 12),
    estimate: { kind: 'difference', value: -0.3 },
  })
})

test('how many scenarios of a simulated reader differ is tested by nothing: its rates are told by the interval alone', () => {
  const solved = (scenarios: number, times: number) =>
    side(
      'a',
      trialsOf(scenarios, (scenario) => figures({ solved: scenario < times })),
    )
  const told = (n: number, base: number, candidate: number) => {
    const { p, adjusted, verdict, estimate } = verdictOn(solved(n, base), solved(n, candidate), 'solved')
    return { p, adjusted, verdict, value: estimate?.value }
  }
  expect(told(40, 40, 28)).toEqual({ p: null, adjusted: null, verdict: 'worse', value: -0.3 })
  expect(told(40, 40, 39)).toEqual({ p: null, adjusted: null, verdict: 'no evidence', value: -0.025 })
  expect(told(4, 4, 0)).toMatchObject({ p: null, verdict: 'no evidence' })
})

test('an amount is told by a ratio of geometric means, of value + 1 where there are zeros', () => {
  const calls = (of: (scenario: number) => number) => trialsOf(40, (scenario) => figures({ model_calls: of(scenario) }))
  const doubled = verdictOn(
    side(
      'a',
      calls((scenario) => 10 + scenario),
    ),
    side(
      'b',
      calls((scenario) => 2 * (10 + scenario)),
    ),
    'model_calls',
  )
  expect(doubled).toMatchObject({ verdict: 'worse', estimate: { kind: 'ratio' } })
  expect(doubled.estimate?.value).toBeCloseTo(2, 12)
  const shifted = verdictOn(
    side(
      'a',
      calls(() => 1),
    ),
    side(
      'b',
      calls(() => 0),
    ),
    'model_calls',
  )
  expect(shifted).toMatchObject({ verdict: 'better', estimate: { kind: 'shifted', value: expect.closeTo(0.5, 12) } })
})

test('a metric without a better direction differs, and is never worse', () => {
  const woken = (times: number) => trialsOf(40, () => figures({ wakeups: times }))
  expect(verdictOn(side('a', woken(1)), side('b', woken(3)), 'wakeups').verdict).toBe('differs')
})

test('harm is a rate of its own: how many scenarios had any violation', () => {
  const harmed = (times: number) => trialsOf(40, (scenario) => figures({ violations: scenario < times ? 2 : 0 }))
  expect(verdictOn(side('a', harmed(0)), side('b', harmed(10)), 'violated')).toMatchObject({
    verdict: 'worse',
    base: 0,
    candidate: 0.25,
    family: 'confirmatory',
  })
})

test('within its margin a change is equivalent, and worse only counts for the gate when beyond it', () => {
  const calls = (factor: number, spread: number) =>
    trialsOf(40, (scenario) => figures({ model_calls: 1_000 * factor + spread * (scenario % 7) }))
  const margins = { margins: { model_calls: 0.1 } }
  const base = side('a', calls(1, 0), margins)
  expect(verdictOn(base, side('b', calls(1.02, 5)), 'model_calls')).toMatchObject({
    verdict: 'equivalent',
    margin: 0.1,
    beyondMargin: false,
  })
  const near = side('b', calls(1.06, 12))
  expect(verdictOn(base, near, 'model_calls')).toMatchObject({ verdict: 'worse', beyondMargin: false })
  expect(gate(compare(base, near, { metrics }), 'worse').failures).toEqual([])
  const far = side('b', calls(1.2, 12))
  expect(gate(compare(base, far, { metrics }), 'worse').failures).toEqual([
    {
      group: 'kettle/react-polling/sim:typical',
      metric: 'model_calls',
      sentence: 'kettle/react-polling/sim:typical: model_calls is worse (1000 → 1235).',
    },
  ])
})

test('replicas are averaged inside their scenario: the unit stays the scenario', () => {
  const replicated = (solved: (scenario: number, replica: number) => boolean) =>
    [0, 1].flatMap((replica) => trialsOf(20, (scenario) => figures({ solved: solved(scenario, replica) }), { replica }))
  const half = verdictOn(
    side(
      'a',
      replicated(() => true),
    ),
    side(
      'b',
      replicated((_, replica) => replica === 0),
    ),
    'solved',
  )
  expect(half).toMatchObject({ n: 20, base: 1, candidate: 0.5, verdict: 'worse' })
})

test('a figure that one side lacks is no zero: the pair is left out, counted, and no difference is claimed', () => {
  const makespan = (of: (scenario: number) => number | null) =>
    trialsOf(20, (scenario) => figures({ makespan_ms: of(scenario) }))
  expect(
    verdictOn(
      side(
        'a',
        makespan(() => 100),
      ),
      side(
        'b',
        makespan((scenario) => (scenario < 8 ? null : 100)),
      ),
      'makespan_ms',
    ),
  ).toMatchObject({ n: 12, missing: 8, changed: 8, base: 100, candidate: 100, verdict: 'no evidence', p: null })
})

test('infrastructure errors are failures of solved, and have no other figure', () => {
  const broken = trialsOf(20, (scenario) =>
    scenario < 10
      ? { outcome: 'infrastructure_error', metrics: { solved: null, model_calls: 1 } }
      : figures({ solved: true, model_calls: 4 }),
  )
  const { groups } = compare(
    side(
      'a',
      trialsOf(20, () => figures({ solved: true, model_calls: 4 })),
    ),
    side('b', broken),
    { metrics },
  )
  expect(groups[0]).toMatchObject({ infrastructureErrors: { base: 0, candidate: 10 } })
  expect(groups[0]?.metrics.map(({ column, n, candidate }) => [column, n, candidate])).toEqual([
    ['model_calls', 10, 4],
    ['solved', 20, 0.5],
  ])
})

test('too few scenarios for any verdict are told, with the number that is needed', () => {
  const solved = (times: number) =>
    side(
      's',
      trialsOf(4, (scenario) => figures({ solved: scenario < times })),
    )
  const comparison = compare(solved(4), solved(0), { metrics })
  expect(comparison.groups[0]?.metrics[0]).toMatchObject({ verdict: 'no evidence', scenariosNeeded: 5 })
  expect(gate(comparison, 'worse')).toEqual({
    failures: [],
    undecided: expect.stringMatching(
      /^4 shared scenarios cannot tell whether solved of kettle\S+ is worse: at least 5 are needed\./,
    ),
  })
})

test('exact changes of deterministic trials are told by the first step in which they part', () => {
  const walked = (path: string, calls: number): Partial<TrialLine> => ({
    metrics: { model_calls: calls },
    behaviour: { structural: path, full: path, path },
  })
  const base = trialsOf(5, () => walked('a.x a.y a.z', 3))
  const candidate = trialsOf(5, (scenario) =>
    scenario === 0 ? walked('a.x a.y a.z', 3) : scenario === 4 ? walked('a.x', 1) : walked('a.x a.z', 2),
  )
  const { groups } = compare(side('a', base), side('b', candidate), { metrics })
  expect(groups[0]?.changes).toEqual({
    trials: 5,
    changed: 4,
    unpaired: 0,
    outcomes: 0,
    paths: 4,
    columns: { model_calls: 4 },
    kinds: [
      {
        what: 'step 2: calls `a.z` where the base calls `a.y`',
        trials: [1, 2, 3].map((scenario) => `kettle/react-polling/sim:typical/${scenario}`),
      },
      { what: 'step 2: ends where the base calls `a.y`', trials: ['kettle/react-polling/sim:typical/4'] },
    ],
  })
})

test('trials of a real model have no exact changes: the gate asks what chance explains', () => {
  const real = { model: 'far-away' }
  const play = (name: string) => {
    const stream = random.stream(name)
    return side(
      name,
      trialsOf(40, () => noisyTrial(stream, 0.7), real),
    )
  }
  const comparison = compare(play('one'), play('two'), { metrics })
  expect(comparison.groups[0]?.changes).toBeNull()
  expect(gate(comparison, 'change').failures).toEqual([])
})
