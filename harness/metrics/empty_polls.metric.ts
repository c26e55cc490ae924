import { defineMetric } from '../define/index.js'
import type { Scalar } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'empty_polls',
  unit: 'count',
  better: 'lower',
  summary:
    "Polls that told nothing new: every value equals the one that the agent's previous poll of that property gave.",
  source: 'DESIGN §9',
  of(trace) {
    const known = new Map<string, Scalar>()
    let empty = 0
    for (const { role, values } of recordsOf(trace, 'poll')) {
      const read = Object.entries(values).map(([key, value]) => [`${role} ${key}`, value] as const)
      if (read.every(([key, value]) => known.get(key) === value)) empty++
      for (const [key, value] of read) known.set(key, value)
    }
    return empty
  },
})
