import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'claim',
  unit: 'text',
  better: 'neither',
  summary:
    'What the agents said of their goals at last: achieved, gave_up, or mixed where activities differ. Absent where nobody claimed anything.',
  source: 'DESIGN §9',
  of(trace) {
    const last = new Map(recordsOf(trace, 'claim').map(({ role, activity, claim }) => [activity ?? role, claim]))
    const claims = new Set(last.values())
    const [claim] = claims
    return claims.size > 1 ? 'mixed' : (claim ?? null)
  },
})
