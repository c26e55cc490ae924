import { defineMetric } from '../define/index.js'
import { usageSum } from './lib/tokens.js'

export default defineMetric({
  name: 'prompt_tokens',
  unit: 'tokens',
  better: 'lower',
  summary: 'Prompt tokens of all answered or interrupted calls, cached ones included.',
  source: 'DESIGN §9',
  of: (trace) => usageSum(trace, ({ promptTokens }) => promptTokens),
})
