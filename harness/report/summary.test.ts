import { expect, test } from 'vitest'
import modelMetrics from '../metrics/model.metric.js'
import { wilson } from '../stats/proportion.js'
import { trialLine } from '../testing/trial-line.js'
import { summarise } from './summary.js'
import { comparisonTable } from './table.js'
import { named } from '../testing/metrics.js'

const modelCalls = named(modelMetrics, 'model_calls')

const metrics = [modelCalls]

test('infrastructure errors count as failures in the headline and nowhere else', () => {
  const [group] = summarise(
    [
      trialLine({ scenario: 0 }),
      trialLine({ scenario: 1 }, { outcome: 'violated', metrics: { solved: false, violations: 1, model_calls: 8 } }),
      trialLine(
        { scenario: 2 },
        { outcome: 'infrastructure_error', metrics: { solved: true, violations: 0, model_calls: 1 } },
      ),
    ],
    { metrics },
  ).groups
  const interval = wilson(1, 3)
  expect(group?.solved).toMatchObject({ events: 1, n: 3, rate: 1 / 3, ...interval })
  expect(group?.violated).toMatchObject({ events: 1, n: 2, rate: 0.5 })
  expect(group?.metrics['model_calls']).toEqual({
    unit: 'count',
    better: 'lower',
    n: 2,
    missing: 1,
    mean: 6,
    median: 6,
    p90: 7.6,
  })
  expect(group).toMatchObject({
    trials: 3,
    scenarios: 3,
    infrastructureErrors: 1,
    outcomes: { solved: 1, violated: 1, unsolved: 0, deadlocked: 0, infrastructure_error: 1 },
  })
})

test('pass^k is shown where there are replicas, and undefined where a scenario has fewer than k', () => {
  const replicas = (agent: string, ...counts: number[]) =>
    counts.flatMap((count, scenario) =>
      Array.from({ length: count }, (_, replica) =>
        replica === 0 && scenario === 0
          ? trialLine({ agent, scenario, replica }, { outcome: 'unsolved', metrics: { solved: false } })
          : trialLine({ agent, scenario, replica }),
      ),
    )
  const passes = (...lines: ReturnType<typeof trialLine>[]) => {
    const [table] = comparisonTable(summarise(lines, { metrics }))
    const at = table?.columns.findIndex(({ title }) => title.startsWith('pass^')) ?? -1
    return [table?.columns[at]?.title, ...(table?.rows.map((row) => row[at]) ?? [])]
  }
  expect(passes(...replicas('a', 3, 3), ...replicas('b', 3, 2))).toEqual(['pass^3', '50 %', '–'])
  expect(passes(...replicas('a', 1, 1))).toEqual([undefined, undefined])
})

test('replicas are averaged inside their scenario, so they widen nothing and narrow nothing', () => {
  const unsolved = {
    outcome: 'unsolved' as const,
    metrics: { solved: false, violations: 0, model_calls: 10, makespan_ms: null },
  }
  const [group] = summarise(
    [
      trialLine({ scenario: 0, replica: 0 }),
      trialLine({ scenario: 1, replica: 0 }),
      trialLine({ scenario: 0, replica: 1 }, unsolved),
      trialLine({ scenario: 1, replica: 1 }),
    ],
    { metrics },
  ).groups
  expect(group).toMatchObject({ trials: 4, scenarios: 2 })
  expect(group?.solved).toMatchObject({ events: 1.5, n: 2, rate: 0.75, ...wilson(1.5, 2) })
  expect(group?.metrics['model_calls']).toMatchObject({ n: 2, missing: 0, mean: 5.5, median: 5.5 })
  expect(group?.passes).toEqual([0.75, 0.5])
  expect(group?.metrics['makespan_ms']).toMatchObject({ n: 2, mean: 12_000 })
})

test('a metric without any value is no column, and one that some trials lack says how many', () => {
  const [group] = summarise(
    [
      trialLine({ scenario: 0 }, { metrics: { solved: true, makespan_ms: null, 'margin.hammer': 7, cost_usd: null } }),
      trialLine({ scenario: 1 }, { metrics: { solved: true, makespan_ms: null, cost_usd: null } }),
    ],
    { metrics },
  ).groups
  expect(Object.keys(group?.metrics ?? {})).toEqual(['margin.hammer', 'solved'])
  expect(group?.metrics['margin.hammer']).toMatchObject({ n: 1, missing: 1, mean: 7 })
})

test('groups are told apart by case, agent parameters, model and thinking, whatever the order of keys', () => {
  const { groups } = summarise(
    [
      trialLine({ agentParams: { a: 1, b: 2 } }),
      trialLine({ agentParams: { b: 2, a: 1 }, scenario: 1 }),
      trialLine({ agentParams: { a: 1, b: 3 } }),
      trialLine({ agentParams: { a: 1, b: 2 }, model: 'sim:hasty' }),
      trialLine({ agentParams: { a: 1, b: 2 }, thinking: 'zero' }),
    ],
    { metrics },
  )
  expect(
    groups.map(({ agent, model, thinking, scenarios }) => [agent.params['b'], model, thinking, scenarios]),
  ).toEqual([
    [2, 'sim:typical', 'fixed:1000', 2],
    [3, 'sim:typical', 'fixed:1000', 1],
    [2, 'sim:hasty', 'fixed:1000', 1],
    [2, 'sim:typical', 'zero', 1],
  ])
})
