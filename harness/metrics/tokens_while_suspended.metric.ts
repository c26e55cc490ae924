import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'
import { suspensionsOf } from './lib/suspensions.js'
import { tokensOf } from './lib/tokens.js'

export default defineMetric({
  name: 'tokens_while_suspended',
  unit: 'tokens',
  better: 'lower',
  summary:
    "Prompt and completion tokens of an activity's model calls that were asked between its suspension and its waking: measured, not assumed. Absent for agents that never suspend.",
  source: 'DESIGN §9; hypothesis C4',
  of(trace) {
    const suspensions = suspensionsOf(trace)
    if (suspensions.length === 0) return null
    const asleep = new Set(
      recordsOf(trace, 'request')
        .filter(({ n, activity, role }) =>
          suspensions.some(
            ({ activity: own, suspend, wake }) =>
              own === (activity ?? role ?? '') && suspend.n < n && n < (wake?.n ?? Infinity),
          ),
        )
        .map(({ call }) => call),
    )
    return recordsOf(trace, 'answer').reduce((sum, answer) => sum + (asleep.has(answer.call) ? tokensOf(answer) : 0), 0)
  },
})
