import { defineMetric } from '../contract/index.js'
import type { Exposure, Trace } from '../contract/index.js'
import { recordsOf } from '../trace/records.js'

/** Per trait and kind: `patience_commit`. Empty where no simulated reader has answered. */
function counted(trace: Trace, which: (exposure: Exposure) => boolean): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const exposure of recordsOf(trace, 'answer').flatMap(({ exposures }) => exposures ?? [])) {
    const key = `${exposure.trait}_${exposure.kind}`
    counts[key] = (counts[key] ?? 0) + (which(exposure) ? 1 : 0)
  }
  return counts
}

export default [
  defineMetric({
    name: 'exposures',
    unit: 'count',
    better: 'neither',
    summary:
      'Answers of the simulated reader that a trait could have made wrong, per trait and kind: the wrong answer would operate or claim (commit), only leave out a wait (omit), or take another way (detour). Absent for traits without any, and for other models.',
    source: 'docs/simulated-model.md#exposures',
    of: (trace) => counted(trace, () => true),
  }),
  defineMetric({
    name: 'slips',
    unit: 'count',
    better: 'lower',
    summary: 'The exposures in which the simulated reader erred, per trait and kind. Absent where it was not exposed.',
    source: 'docs/simulated-model.md#exposures',
    of: (trace) => counted(trace, ({ erred }) => erred),
  }),
]
