import { defineMetric } from '../define/index.js'
import type { MetricResult } from '../define/index.js'
import { recordsOf } from '../trace/select.js'

export default defineMetric({
  name: 'reported',
  unit: 'count',
  better: 'neither',
  summary:
    'Of agents that are programs of their own: how many there are (programs), and what they say that they used (calls, prompt_tokens, completion_tokens; absent where they say nothing). Nobody has measured it, and it is in no other metric. Absent where there is no program.',
  source: 'docs/agents-of-your-own.md',
  of(trace): MetricResult {
    const programs = recordsOf(trace, 'program').filter(({ what }) => what === 'started').length
    if (programs === 0) return {}
    const reports = recordsOf(trace, 'reported')
    if (reports.length === 0) return { programs }
    const sum = (of: (report: (typeof reports)[number]) => number): number =>
      reports.reduce((total, report) => total + of(report), 0)
    return {
      programs,
      calls: sum(({ calls }) => calls),
      prompt_tokens: sum(({ promptTokens }) => promptTokens),
      completion_tokens: sum(({ completionTokens }) => completionTokens),
    }
  },
})
