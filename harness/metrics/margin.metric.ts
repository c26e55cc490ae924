import { defineMetric } from '../define/index.js'
import { beforeEnd, recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'margin',
  unit: "the violation's unit (ms or as declared)",
  better: 'higher',
  summary:
    'The smallest distance to each violation of what went well, per violation. Absent where nothing came near enough to be measured.',
  source: 'DESIGN §5, §9',
  of(trace) {
    const smallest: Record<string, number> = {}
    for (const { violation, distance } of recordsOf(beforeEnd(trace), 'margin')) {
      smallest[violation] = Math.min(smallest[violation] ?? Infinity, distance)
    }
    return smallest
  },
})
