import { defineMetric } from '../define/index.js'
import { usageSum } from './lib/tokens.js'

export default defineMetric({
  name: 'cached_tokens',
  unit: 'tokens',
  better: 'neither',
  summary: 'Prompt tokens that the endpoint reports as served from its cache. They are part of prompt_tokens.',
  source: 'DESIGN §9',
  of: (trace) => usageSum(trace, ({ cachedTokens }) => cachedTokens),
})
