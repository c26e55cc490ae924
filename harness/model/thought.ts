import type { ThoughtLength } from '../define/index.js'
import type { MeterOptions } from './metered.js'

/**
 * Thinking without a model: it lasts as long as a call of that length would, with the draws that a model's calls would
 * get, and each counts against the budget of calls.
 */
export function createThought(
  options: Omit<MeterOptions, 'chat'>,
): (length: ThoughtLength, activity: string) => Promise<void> {
  const { clock, self, thinking, record, role, random, limits, ledger, exhausted } = options
  let own = 0
  return async (length, activity) => {
    if (clock.over) return new Promise(() => {})
    if (ledger.calls >= limits.modelCalls) return exhausted('modelCalls', ledger.calls)
    ledger.calls += 1
    const usage = { ...length, cachedTokens: 0, counted: true }
    // Nothing is asked, so nothing really takes its time.
    const thoughtMs = thinking.lasts(usage, random.stream('thinking', role, ++own), 0)
    await self.sleep(thoughtMs)
    record({ kind: 'thought', thoughtMs }, { role, activity })
  }
}
