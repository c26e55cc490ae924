import canonicalize from 'canonicalize'
import type {
  CostComparison,
  Group,
  Metric,
  MetricSummary,
  Outcome,
  Rate,
  Summary,
  TrialIdentity,
  TrialLine,
} from '../contract/index.js'
import { spendingOf, tariffsFor } from '../metrics/billing.js'
import type { Spending } from '../metrics/billing.js'
import { clopperPearsonUpper, passAll, wilson } from '../stats/proportion.js'
import type { PassCount } from '../stats/proportion.js'
import { mean, median, quantile } from '../stats/summary.js'
import { createBehaviourTally } from './behaviours.js'
import { costOver } from './costs.js'

type Tally = ReturnType<typeof createTally>

/** Sums per scenario, so that replicas can be averaged inside it and no line is kept. */
function createTally(shared: readonly string[]) {
  const outcomes: Record<Outcome, number> = {
    solved: 0,
    violated: 0,
    unsolved: 0,
    deadlocked: 0,
    out_of_time: 0,
    out_of_budget: 0,
    out_of_context: 0,
    agent_error: 0,
    infrastructure_error: 0,
  }
  const scenarios = new Map<string, number>()
  const solved = averages()
  const violated = averages()
  const metrics = new Map<string, Averages>()
  /** Per metric that is summed up as one, the share of replicas where it holds. */
  const shares = new Map(shared.map((name) => [name, averages()]))
  const behaviours = createBehaviourTally()
  let trials = 0
  return {
    outcomes,
    solved,
    violated,
    metrics,
    shares,
    trials: () => trials,
    scenarios: () => scenarios.size,
    behaviours: () => behaviours.behaviours(),
    /** By the seeds of the scenarios. */
    spendings: (): Map<string, Spending> =>
      new Map(
        [...scenarios].flatMap(([seed, index]) => {
          const spending = spendingOf((name) => metrics.get(name)?.at(index) ?? null)
          return spending === null ? [] : [[seed, spending]]
        }),
      ),
    add(line: TrialLine) {
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
    at: (scenario: number): number | null => {
      const count = counts[scenario] ?? 0
      return count === 0 ? null : (sums[scenario] ?? 0) / count
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
    costs: costsOf(
      [...groups.values()].map(({ first, tally }) => ({ ...seatOf(first.identity), spendings: tally.spendings() })),
    ),
    metrics: options.metrics,
  }
}

/** Two agents of one case, model, policy and clock. */
function costsOf(groups: readonly (Seat & { spendings: ReadonlyMap<string, Spending> })[]): CostComparison[] {
  const keys = groups.map((group) => groupKey({ ...group, agent: NOBODY }))
  return groups.flatMap(({ spendings: others, model, thinking }, candidate) =>
    groups.slice(0, candidate).flatMap(({ spendings }, base) => {
      if (model === null || keys[base] !== keys[candidate]) return []
      const pairs = [...spendings].flatMap(([seed, spent]) => {
        const other = others.get(seed)
        return other === undefined ? [] : [{ seed, base: spent, candidate: other }]
      })
      const cost = costOver(pairs, tariffsFor(model, thinking))
      return cost === null ? [] : [{ base, candidate, ...cost }]
    }),
  )
}
const NOBODY: Seat['agent'] = { name: '', version: '', params: {} }

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

type Seat = Pick<Group, 'environment' | 'agent' | 'model' | 'thinking' | 'clock'>

/** What the trials of a group have in common. */
export function seatOf({ scenario, agent, agentVersion, agentParams, model, thinking, clock }: TrialIdentity): Seat {
  const { environment, environmentVersion, params } = scenario
  return {
    environment: { name: environment, version: environmentVersion, params },
    agent: { name: agent, version: agentVersion, params: agentParams },
    model,
    thinking,
    clock,
  }
}

/** Which group a trial belongs to. */
export const lineKey = ({ identity }: TrialLine): string => groupKey(seatOf(identity))

export const groupKey = ({ environment, agent, model, thinking, clock }: Seat): string =>
  canonicalize([environment, agent, model, thinking, clock]) ?? ''

function groupOf({ identity }: TrialLine, tally: Tally, metrics: ReadonlyMap<string, Metric>): Group {
  const values = [...tally.metrics].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...seatOf(identity),
    trials: tally.trials(),
    scenarios: tally.scenarios(),
    infrastructureErrors: tally.outcomes.infrastructure_error,
    outcomes: tally.outcomes,
    solved: rateOf(tally.solved.values()),
    ...passesOf(tally.solved.counts()),
    violated: rateOf(tally.violated.values()),
    metrics: Object.fromEntries(values.map(([name, known]) => [name, summaryOf(name, known.values(), tally, metrics)])),
    behaviours: tally.behaviours(),
  }
}

function summaryOf(
  name: string,
  means: readonly number[],
  { scenarios, shares }: Tally,
  metrics: ReadonlyMap<string, Metric>,
): MetricSummary {
  const { unit, better } = metrics.get(name.split('.')[0] ?? name) ?? { unit: '', better: 'neither' }
  const [n, share] = [means.length, shares.get(name)]
  return {
    unit,
    better,
    n,
    missing: scenarios() - n,
    mean: mean(means),
    median: median(means),
    p90: quantile(means, 0.9),
    ...(share !== undefined && { rate: rateOf(share.values()) }),
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
  const interval = wilson(events, n) ?? { low: null, high: null }
  return { events, n, rate: mean(shares), ...interval, upper: clopperPearsonUpper(events, n) }
}
