import canonicalize from 'canonicalize'
import type { Behaviours, Group, Metric, MetricSummary, Outcome, Rate, Summary, TrialLine } from '../contract/index.js'
import { clopperPearsonUpper, passAll, wilson } from '../stats/proportion.js'
import type { PassCount } from '../stats/proportion.js'
import { mean, median, quantile } from '../stats/summary.js'
import { createBehaviourTally } from './behaviours.js'

export type { Group, Rate, Summary } from '../contract/index.js'

/** Sums per scenario, so that replicas can be averaged inside it and no line is kept. */
interface Tally {
  readonly outcomes: Record<Outcome, number>
  add(line: TrialLine): void
  trials(): number
  scenarios(): number
  /** One number per scenario that has one: the mean over its replicas. */
  solved(): number[]
  /** How often each scenario was played and solved. */
  passes(): PassCount[]
  violated(): number[]
  metrics(): Iterable<[name: string, averages: number[]]>
  /** Per metric that is summed up as one, the share of replicas where it holds. */
  shares: ReadonlyMap<string, Averages>
  behaviours(): Behaviours | null
}

function createTally(shared: readonly string[]): Tally {
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
  const metrics = new Map<string, Averages>()
  const shares = new Map(shared.map((name) => [name, averages()]))
  const behaviours = createBehaviourTally()
  let trials = 0
  return {
    outcomes,
    trials: () => trials,
    scenarios: () => scenarios.size,
    solved: solved.values,
    passes: solved.counts,
    violated: violated.values,
    metrics: () => [...metrics].map(([name, { values }]): [string, number[]] => [name, values()]),
    shares,
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
        shares.get(name)?.add(scenario, Number(value) > 0 ? 1 : 0)
      }
    },
  }
}

type Averages = ReturnType<typeof averages>

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
    /** Of values that are 0 or 1. */
    counts: (): PassCount[] => sums.map((passed, scenario) => ({ n: counts[scenario] ?? 0, passed })),
    values: (): number[] =>
      sums.flatMap((sum, scenario) => {
        const count = counts[scenario] ?? 0
        return count === 0 ? [] : [sum / count]
      }),
  }
}

/** Reads the lines once and keeps a number per scenario and metric, no more. */
export function summarise(lines: Iterable<TrialLine>, options: { metrics: readonly Metric[] }): Summary {
  const metrics = new Map(options.metrics.map((metric) => [metric.name, metric]))
  const shared = options.metrics.filter(isShare).map(({ name }) => name)
  const groups = new Map<string, { first: TrialLine; tally: Tally }>()
  let trials = 0
  for (const line of lines) {
    const key = lineKey(line)
    const group = groups.get(key) ?? { first: line, tally: createTally(shared) }
    groups.set(key, group)
    group.tally.add(line)
    trials++
  }
  return {
    version: 1,
    trials,
    groups: [...groups.values()].map(({ first, tally }) => groupOf(first, tally, metrics)),
    metrics: options.metrics,
  }
}

/** `summary.json`: the figures alone, unrounded. */
export function summaryJson({ metrics: _declarations, ...figures }: Summary): string {
  return `${JSON.stringify(figures, null, 2)}\n`
}

/** Those of `solved` and `violations` stand in the group itself. */
const isShare = ({ name, summedUp }: Metric): boolean =>
  (summedUp === 'share' || summedUp === 'count') && name !== 'solved' && name !== 'violations'

/** The share of scenarios of a metric that is summed up as one. */
export function rateIn(group: Group, name: string): Rate | null {
  if (name === 'solved') return group.solved
  return name === 'violations' ? group.violated : (group.metrics[name]?.rate ?? null)
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
    ...passesOf(tally.passes()),
    violated: rateOf(tally.violated()),
    metrics: Object.fromEntries(
      values.map(([name, means]): [string, MetricSummary] => {
        const metric = metrics.get(name.split('.')[0] ?? name)
        const shares = tally.shares.get(name)
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
            ...(shares !== undefined && { rate: rateOf(shares.values()) }),
          },
        ]
      }),
    ),
    behaviours: tally.behaviours(),
  }
}

function passesOf(counts: readonly PassCount[]): Pick<Group, 'passes'> {
  const most = Math.max(...counts.map(({ n }) => n))
  if (most < 2) return {}
  return { passes: Array.from({ length: most }, (_, index) => passAll(counts, index + 1)) }
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
