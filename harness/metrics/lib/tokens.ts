import type { RecordOf, Trace, Usage } from '../../define/index.js'
import { recordsOf } from '../../trace/select.js'

export function usageSum(trace: Trace, of: (usage: Usage) => number): number {
  return recordsOf(trace, 'answer').reduce((sum, { usage }) => sum + of(usage), 0)
}

export function tokensOf({ usage }: RecordOf<'answer'>): number {
  return usage.promptTokens + usage.completionTokens
}
