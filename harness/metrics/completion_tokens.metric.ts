import { defineMetric } from '../define/index.js'
import { usageSum } from './lib/tokens.js'

export default defineMetric({
  name: 'completion_tokens',
  unit: 'tokens',
  better: 'lower',
  summary: 'Completion tokens of all answered calls, and of interrupted ones what had been produced.',
  source: 'DESIGN §9',
  of: (trace) => usageSum(trace, ({ completionTokens }) => completionTokens),
})
