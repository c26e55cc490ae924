import { defineMetric } from '../contract/index.js'
import type { Exposure, RecordOf, Trace } from '../contract/index.js'
import { parseProfile } from '../reader/profile.js'
import { survival } from '../stats/common-cause.js'
import { firstOf, recordsOf } from '../trace/records.js'

/** The answers of the simulated reader. Other models know no exposures. */
const answersOf = (trace: Trace): RecordOf<'answer'>[] =>
  recordsOf(trace, 'answer').filter(({ exposures }) => exposures !== undefined)

/** Who overlooks a rule mostly meets it in a refusal: whether that does harm is the world's. */
const isSerious = ({ kind, trait }: Exposure): boolean =>
  kind === 'commit' && trait !== 'attention' && trait !== 'diligence'

/** Per trait and kind, `patience_commit`, and all that are `serious`. Empty where no simulated reader has answered. */
function counted(trace: Trace, which: (exposure: Exposure) => boolean): Record<string, number> {
  const answers = answersOf(trace)
  if (answers.length === 0) return {}
  const counts: Record<string, number> = { serious: 0 }
  for (const exposure of answers.flatMap(({ exposures }) => exposures ?? [])) {
    for (const key of [`${exposure.trait}_${exposure.kind}`, ...(isSerious(exposure) ? ['serious'] : [])])
      counts[key] = (counts[key] ?? 0) + (which(exposure) ? 1 : 0)
  }
  return counts
}

/**
 * What a trial adds to the solved rate that exposures alone predict: 1, less the chance of each serious slip at the time
 * it could come, up to the first that did come. What it would have met after that nobody knows; the mean over trials is
 * the predicted rate all the same, since chances and slips so counted are equal in the mean.
 */
function predicted(trace: Trace): number | null {
  const answers = answersOf(trace)
  const model = firstOf(trace, 'trial')?.identity.model ?? null
  // How alike its errors are, a reader's name says.
  if (answers.length === 0 || model?.startsWith('sim:') !== true) return null
  const through = survival(parseProfile(model).correlation)
  let share = 1
  for (const { role, exposures = [] } of answers) {
    for (const exposure of exposures.filter(isSerious)) {
      const { trait, subject, d, q, erred } = exposure
      share -= through.next(JSON.stringify([role, trait, subject, d]), q)
      if (erred) return share
    }
  }
  return share
}

const source = 'docs/simulated-model.md#exposures'

export default [
  defineMetric({
    name: 'exposures',
    unit: 'count',
    better: 'neither',
    summary:
      'Answers of the simulated reader that a trait could have made wrong, per trait and kind: the wrong answer would operate or claim (commit), only leave out a wait (omit), or take another way (detour); and the serious ones, which are all commits but those of attention and diligence. Absent for traits without any, and for other models.',
    source,
    shown: {
      heading: 'exposed/\nslips',
      called: 'exposures, slips',
      place: 32,
      importance: 1,
      part: 'serious',
      with: 'slips.serious',
      ifMeasured: true,
    },
    of: (trace) => counted(trace, () => true),
  }),
  defineMetric({
    name: 'slips',
    unit: 'count',
    better: 'lower',
    summary: 'The exposures in which the simulated reader erred, per trait and kind. Absent where it was not exposed.',
    source,
    of: (trace) => counted(trace, ({ erred }) => erred),
  }),
  defineMetric({
    name: 'missed_rules',
    unit: 'count',
    better: 'lower',
    summary:
      'The exposures in which the simulated reader missed a rule that its prompt holds (attention). Absent where it could miss none, and for other models.',
    source,
    shown: { heading: 'missed rules', place: 33, charts: ['curve'] },
    of(trace) {
      const met = answersOf(trace).flatMap(({ exposures = [] }) =>
        exposures.filter(({ trait }) => trait === 'attention'),
      )
      return met.length === 0 ? null : met.filter(({ erred }) => erred).length
    },
  }),
  defineMetric({
    name: 'predicted',
    unit: 'share',
    better: 'neither',
    summary:
      'The solved rate that exposures alone predict, as a mean over scenarios: that of an agent which fails where a serious exposure goes wrong, and nowhere else. Of one trial: 1 less the chance of each, up to the first slip; it may be below 0. Absent for other models, and not shown where no trial of a group has a serious exposure.',
    source,
    shown: { heading: 'pre-\ndicted', place: 25, importance: 9, ifMeasured: true, needs: 'exposures.serious' },
    of: predicted,
  }),
]
