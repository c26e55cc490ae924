import type { Delivery, Random } from '../contract/index.js'
import type { Doorbell } from '../world/live.js'

/** What lies between a world and one client, as far as doorbells are concerned. */
interface Line {
  /** The doorbells of one step leave. */
  carry(bells: readonly Doorbell[]): void
  /** What is under way never arrives. */
  close(): void
}

/** The client's end of a line. */
export interface LineEnd {
  /** A doorbell arrives. */
  ring(bell: Doorbell): void
  /** All that the client follows now. */
  followed(): Doorbell[]
}
export type OpenLine = (end: LineEnd) => Line

/** Every doorbell arrives at once, and in order. */
export const perfectLine: OpenLine = (end) => ({
  carry(bells) {
    for (const bell of bells) end.ring(bell)
  },
  close() {},
})

/** Why a doorbell leaves: something has happened, or it rings without news. */
export type Cause = 'change' | 'telemetry' | 'storm'

/** What becomes of one doorbell. */
export interface Fate {
  dropped: boolean
  reordered: boolean
  /** How long each copy is under way (ms). */
  delaysMs: number[]
}

/**
 * Draws fates by (cause, activity, what rings, the how manieth), from the scenario's seed: the same for all agents, and
 * each draw is there whether or not its parameter asks for it. So a doorbell that is lost at 10 % is lost at 30 %, too.
 * Activities count in the order in which they begin to follow; their uuids hang on replicas and agents.
 */
export function createFates(params: Delivery, random: Random): (bell: Doorbell, cause: Cause) => Fate {
  const activities = new Map<string, number>()
  const drawn = new Map<string, number>()

  return ({ activity, tool }, cause) => {
    const number = activities.get(activity) ?? activities.size
    activities.set(activity, number)
    const what = tool === null ? ['log'] : ['tool', tool]
    const name = JSON.stringify([cause, number, ...what])
    const ordinal = drawn.get(name) ?? 0
    drawn.set(name, ordinal + 1)
    const stream = random.stream(cause, number, ...what, ordinal)
    const [dropped, duplicated, reordered] = [
      stream.chance(params.doorbellDrop),
      stream.chance(params.doorbellDuplicate),
      stream.chance(params.doorbellReorder),
    ]
    const delayMs = (): number => params.doorbellDelayMs + Math.floor(stream.uniform() * (params.doorbellJitterMs + 1))
    return { dropped, reordered, delaysMs: duplicated ? [delayMs(), delayMs()] : [delayMs()] }
  }
}
