import { defineMetric } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'peak_prompt_tokens',
  unit: 'tokens',
  better: 'lower',
  summary: 'The largest prompt of the trial. Absent without a model call.',
  source: 'DESIGN §9',
  of(trace) {
    const answers = recordsOf(trace, 'answer')
    return answers.length === 0 ? null : answers.reduce((peak, { usage }) => Math.max(peak, usage.promptTokens), 0)
  },
})
