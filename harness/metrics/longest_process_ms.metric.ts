import { defineMetric } from '../define/index.js'
import { beforeEnd, recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'longest_process_ms',
  unit: 'ms',
  better: 'neither',
  summary:
    'The longest latent process: from an operation to the last signal that it, or a timer that it set, emitted later. Absent where no operation was followed by one.',
  source: 'DESIGN §5',
  of(trace) {
    const began = new Map(recordsOf(trace, 'operation').map(({ op, at }) => [op, at]))
    const lasted = recordsOf(beforeEnd(trace), 'signal').flatMap(({ op, at }) => {
      const from = op === null ? undefined : began.get(op)
      return from === undefined || at === from ? [] : [at - from]
    })
    return lasted.length === 0 ? null : Math.max(...lasted)
  },
})
