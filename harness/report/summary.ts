import canonicalize from 'canonicalize'
import type { JsonObject, Metric, Outcome, TrialLine } from '../contract/index.js'
import { clopperPearsonUpper, wilson } from '../stats/proportion.js'
import { mean, median, quantile } from '../stats/summary.js'
import { createBehaviourTally } from './behaviours.js'
import type { Behaviours } from './behaviours.js'

/** Sums per scenario, so that replicas can be averaged inside it and no line is kept. */
interface Tally {
  readonly outcomes: Record<Outcome, number>
  add(line: TrialLine): void
  trials(): number
  scenarios(): number
  /** One number per scenario that has one: the mean over its replicas. */
  solved(): number[]
  violated(): number[]
  metrics(): Iterable<[name: string, averages: number[]]>
  behaviours(): Behaviours | null
}

function createTally(): Tally {
  const outcomes: Record<Outcome, number> = {
    solved: 0,
    violated: 0,
    unsolved: 0,
    deadlocked: 0,
    out_of_time: 0,
    out_of_budget: 0,
    agent_error: 0,
    infrastructure_error: 0,
  }
  const scenarios = new Map<string, number>()
  const solved = averages()
  const violated = averages()
  const metrics = new Map<string, ReturnType<typeof averages>>()
  const behaviours = createBehaviourTally()
  let trials = 0
  return {
    outcomes,
    trials: () => trials,
    scenarios: () => scenarios.size,
    solved: solved.values,
    violated: violated.values,
    metrics: () => [...metrics].map(([name, { values }]): [string, number[]] => [name, values()]),
    behaviours: () => behaviours.behaviours(),
    add(line) {
      behaviours.add(line)
      const { seed } = line.identity.scenario
      const scenario = scenarios.get(seed) ?? scenarios.size
      scenarios.set(seed, scenario)
      trials++
      outcomes[line.outcome]++
      const broken = line.outcome === 'infrastructure_error'
      solved.add(scenario, !broken && (line.metrics['solved'] ?? line.outcome === 'solved') === true ? 1 : 0)
      if (broken) return
      violated.add(scenario, Number(line.metrics['violations'] ?? (line.outcome === 'violated' ? 1 : 0)) > 0 ? 1 : 0)
      for (const [name, value] of Object.entries(line.metrics)) {
        if (typeof value !== 'number' && typeof value !== 'boolean') continue
        const known = metrics.get(name) ?? averages()
        metrics.set(name, known)
        known.add(scenario, Number(value))
      }
    },
  }
}

function averages() {
  const sums: number[] = []
  const counts: number[] = []
  return {
    add(scenario: number, value: number) {
      while (sums.length <= scenario) {
        sums.push(0)
        counts.push(0)
      }
      sums[scenario] = (sums[scenario] ?? 0) + value
      counts[scenario] = (counts[scenario] ?? 0) + 1
    },
    values: (): number[] =>
      sums.flatMap((sum, scenario) => {
        const count = counts[scenario] ?? 0
        return count === 0 ? [] : [sum / count]
      }),
  }
}

/** What a run found, per case × agent × model × thinking policy; groups stand in the order of their first trial. */
export interface Summary {
  version: 1
  trials: number
  groups: Group[]
}

export interface Group {
  environment: { name: string; version: string; params: JsonObject }
  agent: { name: string; version: string; params: JsonObject }
  /** Null for agents without a model. */
  model: string | null
  thinking: string
  clock: string
  trials: number
  /** The unit of analysis: replicas are averaged inside it. */
  scenarios: number
  infrastructureErrors: number
  outcomes: Record<Outcome, number>
  /** Infrastructure errors count as failures. */
  solved: Rate
  /** Trials with a violation; those that an infrastructure error ended are left out, for they had less time to do harm. */
  violated: Rate
  /** Numbers, and booleans as 0 and 1; infrastructure errors are left out. */
  metrics: Record<string, MetricSummary>
  /** Null where no trial left a behaviour. */
  behaviours: Behaviours | null
}

/** A share of scenarios. `events` may be fractional (replicas). `low` to `high`: Wilson, 95 %. `upper`: Clopper–Pearson, one-sided 95 %. */
export interface Rate {
  events: number
  n: number
  rate: number | null
  low: number | null
  high: number | null
  upper: number | null
}

interface MetricSummary {
  unit: string
  better: Metric['better']
  /** Scenarios with a value, and without one. */
  n: number
  missing: number
  mean: number | null
  median: number | null
  p90: number | null
}

/** Reads the lines once and keeps a number per scenario and metric, no more. */
export function summarise(lines: Iterable<TrialLine>, options: { metrics: readonly Metric[] }): Summary {
  const groups = new Map<string, { first: TrialLine; tally: Tally }>()
  let trials = 0
  for (const line of lines) {
    const key = lineKey(line)
    const group = groups.get(key) ?? { first: line, tally: createTally() }
    groups.set(key, group)
    group.tally.add(line)
    trials++
  }
  const metrics = new Map(options.metrics.map((metric) => [metric.name, metric]))
  return { version: 1, trials, groups: [...groups.values()].map(({ first, tally }) => groupOf(first, tally, metrics)) }
}

/** Which group a trial belongs to. */
export function lineKey({ identity }: TrialLine): string {
  const { scenario, agent, agentVersion, agentParams, model, thinking, clock } = identity
  return groupKey({
    environment: { name: scenario.environment, version: scenario.environmentVersion, params: scenario.params },
    agent: { name: agent, version: agentVersion, params: agentParams },
    model,
    thinking,
    clock,
  })
}

export function groupKey(group: Pick<Group, 'environment' | 'agent' | 'model' | 'thinking' | 'clock'>): string {
  const { environment, agent, model, thinking, clock } = group
  return canonicalize([environment, agent, model, thinking, clock]) ?? ''
}

function groupOf({ identity }: TrialLine, tally: Tally, metrics: ReadonlyMap<string, Metric>): Group {
  const { scenario, agent, agentVersion, agentParams, model, thinking, clock } = identity
  const values = [...tally.metrics()].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    environment: { name: scenario.environment, version: scenario.environmentVersion, params: scenario.params },
    agent: { name: agent, version: agentVersion, params: agentParams },
    model,
    thinking,
    clock,
    trials: tally.trials(),
    scenarios: tally.scenarios(),
    infrastructureErrors: tally.outcomes.infrastructure_error,
    outcomes: { ...tally.outcomes },
    solved: rateOf(tally.solved()),
    violated: rateOf(tally.violated()),
    metrics: Object.fromEntries(
      values.map(([name, means]) => {
        const metric = metrics.get(name.split('.')[0] ?? name)
        return [
          name,
          {
            unit: metric?.unit ?? '',
            better: metric?.better ?? 'neither',
            n: means.length,
            missing: tally.scenarios() - means.length,
            mean: mean(means),
            median: median(means),
            p90: quantile(means, 0.9),
          },
        ]
      }),
    ),
    behaviours: tally.behaviours(),
  }
}

function rateOf(shares: readonly number[]): Rate {
  const events = shares.reduce((sum, share) => sum + share, 0)
  const n = shares.length
  const interval = wilson(events, n)
  return {
    events,
    n,
    rate: mean(shares),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    upper: clopperPearsonUpper(events, n),
  }
}
