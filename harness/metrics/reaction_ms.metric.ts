import { defineMetric } from '../define/index.js'
import { mean } from '../stats/summary.js'
import { reactionsOf } from './lib/reactions.js'
import type { Reaction } from './lib/reactions.js'

export default defineMetric({
  name: 'reaction_ms',
  version: '2',
  unit: 'ms (reacted and censored: count)',
  better: 'lower',
  summary:
    'From the emission of a signal to the first accepted operation or claim that was decided with knowledge of it: means over the signals of the trial that were reacted to. Parts: delivered (emission to doorbell or to the first look at that tool or the log, for who polls or where doorbells are lost), call (to the beginning of the first model call that could know), decision (to the end of the deciding call), operation (to the operation), total. `reacted` and `censored` count; a signal that was never reacted to is censored, not dropped. All signals count that nobody or the agent itself caused, and those of others that were delivered to it.',
  source: 'DESIGN §9; hypothesis C11',
  of(trace) {
    const reactions = reactionsOf(trace)
    const reacted = reactions.filter(({ operation }) => operation !== null)
    const parts = {
      delivered: averageOf(reacted, 'emitted', 'delivered'),
      call: averageOf(reacted, 'delivered', 'call'),
      decision: averageOf(reacted, 'call', 'decision'),
      operation: averageOf(reacted, 'decision', 'operation'),
      total: averageOf(reacted, 'emitted', 'operation'),
    }
    return {
      ...Object.fromEntries(Object.entries(parts).filter((entry): entry is [string, number] => entry[1] !== null)),
      reacted: reacted.length,
      censored: reactions.length - reacted.length,
    }
  },
})

function averageOf(reactions: Reaction[], from: keyof Reaction, to: keyof Reaction): number | null {
  return mean(
    reactions.flatMap(({ [from]: start, [to]: end }) => (start === null || end === null ? [] : [end - start])),
  )
}
