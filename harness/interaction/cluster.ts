import type { Behaviour } from '../define/index.js'
import { distance, firstDivergence } from './divergence.js'
import type { Divergence } from './divergence.js'

/** Trials that took the same path: equal names of functions in an equal order and equal cycles. */
export interface Cluster {
  structural: string
  path: string
  trials: number
  /** In the order in which they were met; the first stands for all. At most as many as were to be kept. */
  members: string[]
  /** From the path that most trials took; null for that path itself. */
  differs: (Divergence & { distance: number }) | null
}

/** Collects the behaviours of a group of trials, and keeps one path for each that is distinct. */
export interface Clusters {
  add(id: string, behaviour: Pick<Behaviour, 'structural' | 'path'>): void
  trials(): number
  distinct(): number
  /** The most frequent first, and the earlier met first among equals; `most` of them. */
  list(most?: number): Cluster[]
}

export function createClusters({ keep = Infinity }: { keep?: number } = {}): Clusters {
  const groups = new Map<string, Omit<Cluster, 'differs'>>()
  let trials = 0
  return {
    add(id, { path, structural }) {
      const group = groups.get(path) ?? { path, structural, trials: 0, members: [] }
      groups.set(path, group)
      group.trials++
      if (group.members.length < keep) group.members.push(id)
      trials++
    },
    trials: () => trials,
    distinct: () => groups.size,
    list(most = Infinity) {
      const sorted = [...groups.values()].toSorted((a, b) => b.trials - a.trials).slice(0, most)
      const common = sorted[0]?.path ?? ''
      return sorted.map((group) => {
        const differs = firstDivergence(group.path, common)
        return { ...group, differs: differs === null ? null : { ...differs, distance: distance(group.path, common) } }
      })
    },
  }
}

/** The distinct behaviours of a group of trials with all their members. */
export function cluster(
  trials: Iterable<{ id: string; behaviour: Pick<Behaviour, 'structural' | 'path'> }>,
): Cluster[] {
  const clusters = createClusters()
  for (const { id, behaviour } of trials) clusters.add(id, behaviour)
  return clusters.list()
}
