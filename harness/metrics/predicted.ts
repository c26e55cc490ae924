import type { Exposure, Trace } from '../contract/index.js'
import { survival } from '../stats/common-cause.js'
import { recordsOf } from '../trace/records.js'

/** The exposures of one trial whose wrong answers operate or claim, in their order, each with the role that it is of. */
export type CommitExposure = Pick<Exposure, 'q' | 'erred'> & { key: string }

export function commitExposures(trace: Trace): CommitExposure[] {
  return recordsOf(trace, 'answer').flatMap(({ role, exposures }) =>
    (exposures ?? [])
      .filter(({ kind }) => kind === 'commit')
      .map(({ trait, subject, d, q, erred }) => ({ key: JSON.stringify([role, trait, subject, d]), q, erred })),
  )
}

/**
 * The solved rate of an agent that exposures alone predict: the share of trials without a slip that operates or claims,
 * from how many such exposures there were and how likely each was to go wrong, whatever was drawn. A trial counts up to
 * its first slip, since what it would have met later nobody knows: the trials that go on stand in for it, as in a life
 * table. Null without trials.
 */
export function predictedSolved(trials: readonly (readonly CommitExposure[])[], correlation: number): number | null {
  if (trials.length === 0) return null
  const risks = trials.map((exposures) => {
    const through = survival(correlation)
    const until = exposures.findIndex(({ erred }) => erred)
    const met = until === -1 ? exposures : exposures.slice(0, until + 1)
    return { hazards: met.map(({ key, q }) => through.next(key, q)), slipped: until !== -1 }
  })
  const steps = Math.max(...risks.map(({ hazards }) => hazards.length))
  let share = 1
  for (let step = 0; step < steps; step++) {
    // Who has no more exposures stays at risk of none.
    const left = risks.filter(({ hazards, slipped }) => hazards.length > step || !slipped)
    const expected = left.reduce((sum, { hazards }) => sum + (hazards[step] ?? 0), 0)
    if (left.length > 0) share *= 1 - expected / left.length
  }
  return share
}
