import type { TrialLine } from '../../contract/index.js'
import { mean } from '../../stats/summary.js'
import { ASPECTS } from './group.js'
import type { Aspect, Group } from './group.js'

export interface Match {
  base: Group
  candidate: Group
  /** In what they differ although they are compared. */
  differing: Aspect[]
}

export interface Matching {
  matches: Match[]
  onlyBase: Group[]
  onlyCandidate: Group[]
}

/**
 * Groups that are equal in all aspects belong together. Of what is left, groups of one environment and agent that both
 * sides have are told as differing, the nearest first; the rest is on one side only.
 */
export function matchGroups(base: readonly Group[], candidate: readonly Group[]): Matching {
  const matches: Match[] = []
  const left = new Set(base)
  const right = new Set(candidate)
  const take = (one: Group, other: Group, differing: Aspect[]): void => {
    matches.push({ base: one, candidate: other, differing })
    left.delete(one)
    right.delete(other)
  }
  for (let apart = 0; apart <= ASPECTS.length; apart++) {
    for (const one of base) {
      if (!left.has(one)) continue
      const other = candidate.find((group) => right.has(group) && distance(one, group) === apart)
      if (other !== undefined) take(one, other, differences(one, other))
    }
  }
  const rank = new Map(candidate.map((group, index) => [group, index]))
  matches.sort((a, b) => (rank.get(a.candidate) ?? 0) - (rank.get(b.candidate) ?? 0))
  return { matches, onlyBase: [...left], onlyCandidate: [...right] }
}

const differences = (one: Group, other: Group): Aspect[] =>
  ASPECTS.filter((aspect) => one.aspects[aspect] !== other.aspects[aspect])

function distance(one: Group, other: Group): number {
  return one.environment === other.environment && one.agent === other.agent
    ? differences(one, other).length
    : Number.POSITIVE_INFINITY
}

/** One scenario that both sides have played, with its replicas. */
export interface ScenarioPair {
  seed: string
  base: TrialLine[]
  candidate: TrialLine[]
}

export interface Pairing {
  pairs: ScenarioPair[]
  /** Scenarios of one side alone. */
  onlyBase: number
  onlyCandidate: number
}

export function pairScenarios(base: Group, candidate: Group): Pairing {
  const pairs = [...candidate.scenarios].flatMap(([key, lines]) => {
    const others = base.scenarios.get(key)
    const seed = lines[0]?.identity.scenario.seed
    return others === undefined || seed === undefined ? [] : [{ seed, base: others, candidate: lines }]
  })
  return {
    pairs,
    onlyBase: base.scenarios.size - pairs.length,
    onlyCandidate: candidate.scenarios.size - pairs.length,
  }
}

/** A column of one scenario on both sides; replicas are averaged. Null: the scenario has no value. */
export interface ValuePair {
  seed: string
  base: number | null
  candidate: number | null
}

export interface Column {
  name: string
  /** A rate where every trial says yes or no, an amount elsewhere. */
  kind: 'rate' | 'amount'
  values: ValuePair[]
}

/** Whether a trial did any harm: the rate that `violations` counts the kinds of. */
export const VIOLATED = 'violated'

/** All columns that a number can be had of, in the order of their names; `without` names metrics to leave out. */
export function columnsOf(pairs: readonly ScenarioPair[], without: (column: string) => boolean): Column[] {
  const lines = pairs.flatMap(({ base, candidate }) => [...base, ...candidate])
  const names = new Set(lines.flatMap(({ metrics }) => Object.keys(metrics)))
  if (names.has('violations')) names.add(VIOLATED)
  return [...names]
    .filter((name) => !without(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((name): Column[] => {
      const raw = lines.map((line) => valueOf(line, name)).filter((value) => value !== null)
      if (raw.length === 0) return []
      const kind = raw.every((value) => typeof value === 'boolean') ? 'rate' : 'amount'
      const values = pairs.map(({ seed, base, candidate }) => ({
        seed,
        base: averageOf(base, name),
        candidate: averageOf(candidate, name),
      }))
      return [{ name, kind, values }]
    })
}

const averageOf = (lines: readonly TrialLine[], name: string): number | null =>
  mean(lines.flatMap((line) => valueOf(line, name) ?? []).map(Number))

/** What infrastructure ended is not solved, and has no other value (docs/design.md#statistics). */
function valueOf({ outcome, metrics }: TrialLine, name: string): number | boolean | null {
  if (outcome === 'infrastructure_error') return name === 'solved' ? false : null
  const value = name === VIOLATED ? violated(metrics['violations']) : metrics[name]
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

const violated = (violations: TrialLine['metrics'][string] | undefined): boolean | null =>
  typeof violations === 'number' ? violations > 0 : null
