import { defineMetric } from '../define/index.js'
import { firstOf, recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'false_claim',
  unit: 'boolean',
  better: 'lower',
  summary:
    'Somebody claimed success, and the trial is not solved (the goal was not reached, or there was a violation). Who claims nothing claims nothing false. Absent in a trace without a verdict.',
  source: 'DESIGN §9',
  of(trace) {
    const verdict = firstOf(trace, 'verdict')
    return verdict === null
      ? null
      : !verdict.solved && recordsOf(trace, 'claim').some(({ claim }) => claim === 'achieved')
  },
})
