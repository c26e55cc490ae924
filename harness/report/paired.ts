import type { TrialLine } from '../contract/index.js'
import { bootstrapRatio } from '../stats/bootstrap.js'
import type { Ratio } from '../stats/bootstrap.js'
import { pairedDifference } from '../stats/proportion.js'
import type { PairedDifference } from '../stats/proportion.js'
import { mean } from '../stats/summary.js'
import { groupKey, lineKey } from './summary.js'
import type { Group } from './summary.js'

/** One group against another, paired by scenario. */
export interface Comparison {
  /** Scenarios that both played. */
  pairs: number
  solved: PairedDifference | null
  tokens: Ratio | null
  /** Over the scenarios that both solved: easier ones, perhaps. */
  makespan: Ratio | null
}

/** What the comparisons need of a scenario: means over its replicas, null without data. */
interface Scenario {
  solved: number
  tokens: number | null
  makespan: number | null
}

/** Reads the lines once and keeps three numbers per group and scenario. */
export function createComparisons(lines: Iterable<TrialLine>): (base: Group, candidate: Group) => Comparison {
  const groups = scenariosByGroup(lines)
  return (base, candidate) => {
    const bases = groups.get(groupKey(base)) ?? new Map<string, Scenario>()
    const candidates = groups.get(groupKey(candidate)) ?? new Map<string, Scenario>()
    const shared = [...bases].flatMap(([seed, own]) => {
      const other = candidates.get(seed)
      return other === undefined ? [] : [{ seed, base: own, candidate: other }]
    })
    const ratio = (amount: 'tokens' | 'makespan') =>
      bootstrapRatio(
        shared.flatMap((pair) => {
          const [a, b] = [pair.base[amount], pair.candidate[amount]]
          return a === null || b === null ? [] : [{ cluster: pair.seed, base: a, candidate: b }]
        }),
        { seed: amount },
      )
    return {
      pairs: shared.length,
      solved: pairedDifference(cells(shared.map((pair) => [pair.base.solved, pair.candidate.solved]))),
      tokens: ratio('tokens'),
      makespan: ratio('makespan'),
    }
  }
}

/** With replicas a scenario's share counts in all four cells, as if its replicas were paired at random. */
function cells(shares: readonly (readonly [base: number, candidate: number])[]) {
  const sum = (cell: (base: number, candidate: number) => number) =>
    shares.reduce((total, [base, candidate]) => total + cell(base, candidate), 0)
  return {
    both: sum((base, candidate) => base * candidate),
    onlyBase: sum((base, candidate) => base * (1 - candidate)),
    onlyCandidate: sum((base, candidate) => (1 - base) * candidate),
    neither: sum((base, candidate) => (1 - base) * (1 - candidate)),
  }
}

type Replicas = Record<keyof Scenario, number[]>

function scenariosByGroup(lines: Iterable<TrialLine>): Map<string, Map<string, Scenario>> {
  const groups = new Map<string, Map<string, Replicas>>()
  for (const line of lines) {
    const key = lineKey(line)
    const scenarios = groups.get(key) ?? new Map<string, Replicas>()
    groups.set(key, scenarios)
    const { seed } = line.identity.scenario
    const replicas = scenarios.get(seed) ?? { solved: [], tokens: [], makespan: [] }
    scenarios.set(seed, replicas)
    add(line, replicas)
  }
  const averaged = ({ solved, tokens, makespan }: Replicas): Scenario => ({
    solved: mean(solved) ?? 0,
    tokens: mean(tokens),
    makespan: mean(makespan),
  })
  return new Map(
    [...groups].map(([key, scenarios]) => [
      key,
      new Map([...scenarios].map(([seed, replicas]) => [seed, averaged(replicas)])),
    ]),
  )
}

/** As in the summary: an infrastructure error is not solved, and is left out of everything else. */
function add({ outcome, metrics }: TrialLine, replicas: Replicas): void {
  const broken = outcome === 'infrastructure_error'
  replicas.solved.push(!broken && (metrics['solved'] ?? outcome === 'solved') === true ? 1 : 0)
  if (broken) return
  const { prompt_tokens: prompt, completion_tokens: completion, makespan_ms: makespan } = metrics
  if (typeof prompt === 'number' && typeof completion === 'number') replicas.tokens.push(prompt + completion)
  if (typeof makespan === 'number') replicas.makespan.push(makespan)
}
