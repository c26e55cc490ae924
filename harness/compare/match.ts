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
