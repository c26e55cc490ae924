import type { BehaviourPath, Behaviours, TrialLine } from '../contract/index.js'
import { distance, divergenceInWords, firstDivergence } from '../trace/algebra/behaviour.js'
import { fold } from '../trace/text.js'

const SHOWN = 6
const NAMED = 3
const PATH_LIMIT = 600

export function createBehaviourTally(): { add(line: TrialLine): void; behaviours(): Behaviours | null } {
  const clusters = new Map<string, Omit<BehaviourPath, 'differs'>>()
  let trials = 0
  return {
    add({ identity, behaviour }) {
      if (behaviour === null) return
      const { path, structural } = behaviour
      const cluster = clusters.get(path) ?? { path, structural, trials: 0, members: [] }
      clusters.set(path, cluster)
      cluster.trials++
      if (cluster.members.length < NAMED) cluster.members.push(identity.id)
      trials++
    },
    behaviours() {
      const sorted = [...clusters.values()].toSorted((a, b) => b.trials - a.trials).slice(0, SHOWN)
      const [common] = sorted
      if (common === undefined) return null
      const paths = sorted.map((cluster) => {
        const differs = firstDivergence(cluster.path, common.path)
        const apart = differs === null ? null : { ...differs, distance: distance(cluster.path, common.path) }
        return { ...cluster, differs: apart }
      })
      return { trials, distinct: clusters.size, paths }
    },
  }
}

/** “47 of 50 trials take the same path: …”, then one sentence per other path. */
export function behaviourSentences({ behaviours }: { behaviours: Behaviours | null }): string[] {
  if (behaviours === null) return []
  const { trials, distinct, paths } = behaviours
  const [common, ...others] = paths
  if (common === undefined) return []
  if (trials > 1 && common.trials === 1) return [`no two of ${trials} trials take the same path`]
  const alike = trials === 1 ? 'one trial' : `${common.trials} of ${trials} trials take the same path`
  const unnamed = distinct - paths.length
  return [
    `${alike}: ${common.path === '' ? 'no call' : fold(common.path, PATH_LIMIT)}`,
    ...others.flatMap((path) => (path.differs === null ? [] : [deviation(path, path.differs)])),
    ...(unnamed > 0 ? [`and ${unnamed} more ${unnamed === 1 ? 'path' : 'paths'}`] : []),
  ]
}

function deviation({ trials, members }: BehaviourPath, differs: NonNullable<BehaviourPath['differs']>): string {
  const named = members.join(', ') + (trials > members.length ? ', …' : '')
  return `${trials} ${trials === 1 ? 'differs' : 'differ'} at ${divergenceInWords(differs, 'the common path')} (${named})`
}
