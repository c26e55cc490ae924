import canonicalize from 'canonicalize'
import type { JsonObject, Metric, Outcome, TrialLine } from '../define/index.js'
import { clopperPearsonUpper } from '../stats/clopper-pearson.js'
import { mean, median, quantile } from '../stats/summary.js'
import { wilson } from '../stats/wilson.js'
import type { Behaviours } from './behaviours.js'
import { createTally } from './tally.js'
import type { Tally } from './tally.js'

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

export interface MetricSummary {
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
      values.map(([name, averages]) => {
        const metric = metrics.get(name.split('.')[0] ?? name)
        return [
          name,
          {
            unit: metric?.unit ?? '',
            better: metric?.better ?? 'neither',
            n: averages.length,
            missing: tally.scenarios() - averages.length,
            mean: mean(averages),
            median: median(averages),
            p90: quantile(averages, 0.9),
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
