import type { TrialLine } from '../define/index.js'
import { createClusters } from '../interaction/cluster.js'
import type { Cluster } from '../interaction/cluster.js'
import { divergenceInWords } from '../interaction/divergence.js'
import { fold } from '../trace/text.js'
import { agentLabel, cases } from './table.js'
import type { Group, Summary } from './summary.js'

/** How alike the trials of a group were in what they called, in which order. */
export interface Behaviours {
  /** Trials with a behaviour. */
  trials: number
  /** Different paths among them. */
  distinct: number
  /** The most frequent, at most `SHOWN`, with at most `NAMED` of their trials. */
  paths: Cluster[]
}

const SHOWN = 6
const NAMED = 3
const PATH_LIMIT = 600

export function createBehaviourTally(): { add(line: TrialLine): void; behaviours(): Behaviours | null } {
  const clusters = createClusters({ keep: NAMED })
  return {
    add({ identity, behaviour }) {
      if (behaviour !== null) clusters.add(identity.id, behaviour)
    },
    behaviours: () =>
      clusters.trials() === 0
        ? null
        : { trials: clusters.trials(), distinct: clusters.distinct(), paths: clusters.list(SHOWN) },
  }
}

/** “47 of 50 trials take the same path: …”, then one sentence per other path. */
export function behaviourSentences({ behaviours }: Pick<Group, 'behaviours'>): string[] {
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

function deviation({ trials, members }: Cluster, differs: NonNullable<Cluster['differs']>): string {
  const named = members.join(', ') + (trials > members.length ? ', …' : '')
  return `${trials} ${trials === 1 ? 'differs' : 'differ'} at ${divergenceInWords(differs, 'the common path')} (${named})`
}

/** One line for the console, where there is one case and few agents. */
export function behaviourNotes(summary: Summary): string[] {
  const [only, ...others] = cases(summary)
  if (only === undefined || others.length > 0 || only.groups.length > 8) return []
  const counted = only.groups.flatMap((group) => {
    const { behaviours } = group
    return behaviours === null ? [] : [`${agentLabel(group, only.groups)} ${behaviours.distinct}/${behaviours.trials}`]
  })
  return counted.length === 0 ? [] : [`Distinct paths of calls per trials: ${counted.join(', ')}.`]
}
