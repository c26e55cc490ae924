import type { Clock, ClockEnd } from '../contract/index.js'
import { EventClock } from './event-clock.js'
import { Rank } from './queue.js'
import type { Entry } from './queue.js'

/** A discrete-event clock: nothing waits in real time but for requests and notifications that are under way. */
export const createVirtualClock = (): Clock => new VirtualClock()

class VirtualClock extends EventClock {
  /** Whatever really takes time is awaited before a hand-over, so it decides nothing. */
  protected override next(untilMs: number): Entry | ClockEnd['how'] | Promise<void> {
    const next = this.queue.peek()
    if (this.requests.toLand && !this.#isDueBeforeTimeouts(next)) return this.#landed()
    if (next === undefined || this.queue.keeping === 0) return 'deadlocked'
    if (next.at <= untilMs) return next
    this.instant = untilMs
    return 'out_of_time'
  }

  async #landed(): Promise<void> {
    while (this.requests.underway > 0 && !this.over) await this.parked()
    if (!this.over) this.requests.land()
  }

  /** Thoughts land before the time-outs of their instant: one that lasts 0 ms must not lose the tie against them. */
  #isDueBeforeTimeouts(next: Entry | undefined): boolean {
    return next !== undefined && next.at === this.instant && next.rank !== Rank.timeout
  }
}
