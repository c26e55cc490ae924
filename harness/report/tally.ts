import type { Outcome, TrialLine } from '../define/index.js'
import { createBehaviourTally } from './behaviours.js'
import type { Behaviours } from './behaviours.js'

/** Sums per scenario, so that replicas can be averaged inside it and no line is kept. */
export interface Tally {
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

export function createTally(): Tally {
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
