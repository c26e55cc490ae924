import type { Bell, Clock, ClockEnd, Process } from '../contract/index.js'
import { StickyBell } from './bell.js'
import { Processes, Requests } from './process.js'
import type { ClockProcess, Scheduler } from './process.js'
import { EventQueue, Rank, checkedDelay } from './queue.js'
import type { Entry } from './queue.js'

const MAX_STEPS_PER_INSTANT = 100_000

const PERIOD_MS = 30_000

/**
 * What every clock does: it takes what is due in its order, one hand-over of the turn after the other. How it gets
 * from one instant to the next is each clock's own affair.
 */
export abstract class EventClock implements Clock, Scheduler {
  readonly queue = new EventQueue()
  readonly requests = new Requests(() => this.wake())
  over = false
  protected instant = 0
  readonly #processes = new Processes()
  #steps = 0
  /** Time that does not move is an error of whoever keeps it. */
  #stepsOfInstant = 0
  #holder: ClockProcess | null = null
  #unhandled = 0
  #inAmbient = false
  #started = false
  #steppedAt = 0
  #crash: { error: unknown } | null = null
  #resume: () => void = () => {}

  now(): number {
    return this.instant
  }

  after(delayMs: number, action: () => void, options: { ambient?: boolean } = {}): () => void {
    const ambient = this.#inAmbient || (options.ambient ?? false)
    const entry = this.queue.add(this.instant + checkedDelay(delayMs), Rank.world, action, { ambient })
    return () => this.queue.cancel(entry)
  }

  bell(): Bell {
    return new StickyBell()
  }

  spawn(name: string, body: (self: Process) => Promise<void>): { ended: Bell } {
    if (this.over) return { ended: this.bell() }
    return { ended: this.#processes.spawn(name, this, body).ended }
  }

  sent(): void {
    this.#unhandled += 1
  }

  handled(): void {
    this.#unhandled -= 1
    if (this.#unhandled < 0) this.#die(new Error('More notifications were handled than sent.'))
    if (this.#unhandled === 0) this.wake()
  }

  async run({ untilMs }: { untilMs: number }): Promise<ClockEnd> {
    if (this.#started) throw new Error('A clock runs once.')
    this.#started = true
    const watchdog = this.#watch()
    try {
      const how = await this.#loop(untilMs)
      return { how, failed: this.#processes.failed() }
    } finally {
      clearInterval(watchdog)
      this.#end()
    }
  }

  settle(untilMs: number): number {
    if (!this.over) throw new Error('A clock settles after its run.')
    this.#end()
    while (this.queue.keeping > 0) {
      const next = this.queue.peek()
      if (next === undefined || next.at > untilMs) {
        this.instant = Math.max(this.instant, untilMs)
        break
      }
      this.#step(next)
    }
    return this.instant
  }

  stop(): void {
    this.over = true
    this.wake()
  }

  grant(process: ClockProcess, resume: () => void): void {
    if (this.#stepsOfInstant > MAX_STEPS_PER_INSTANT) {
      // With it gone, the others may take their steps.
      this.#stepsOfInstant = 0
      process.fail(this.#crowdedBy(`"${process.name}"`))
      return
    }
    this.#holder = process
    resume()
  }

  released(process: ClockProcess): void {
    if (this.#holder !== process) return
    this.#holder = null
    this.wake()
  }

  rouse(process: ClockProcess): void {
    this.#processes.rouse(process)
  }

  finished(process: ClockProcess): void {
    this.#processes.alive -= 1
    this.released(process)
  }

  /** Before a hand-over: what is done about it, or how the run ends instead. A promise: look again when it settles. */
  protected abstract next(untilMs: number): Entry | ClockEnd['how'] | Promise<void>

  /** The present may move on as far as nothing is due. */
  protected catchUp(): void {}

  /** Goes on when something that really takes time has moved on. */
  protected parked(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  protected wake(): void {
    this.#resume()
  }

  /** One turn of the loop is one hand-over. */
  async #loop(untilMs: number): Promise<ClockEnd['how']> {
    for (;;) {
      while (this.#unhandled > 0 && !this.over) await this.parked()
      if (this.#crash !== null) throw this.#crash.error
      if (this.over) return 'stopped'
      this.#processes.makeWokenDue()
      this.catchUp()
      if (this.#processes.alive === 0) return 'ended'
      const next = this.next(untilMs)
      if (typeof next === 'string') return next
      if (next instanceof Promise) {
        await next
        continue
      }
      this.#step(next)
      while (this.#holder !== null && !this.over) await this.parked()
    }
  }

  #step(next: Entry): void {
    this.queue.pop()
    this.#stepsOfInstant = next.at > this.#steppedAt ? 1 : this.#stepsOfInstant + 1
    this.#steppedAt = next.at
    this.instant = next.at
    this.#steps += 1
    if (next.rank === Rank.world && this.#stepsOfInstant > MAX_STEPS_PER_INSTANT) throw this.#crowdedBy('The world')
    this.#inAmbient = next.ambient
    try {
      next.action()
    } finally {
      this.#inAmbient = false
    }
  }

  #end(): void {
    this.over = true
    this.#processes.abandon()
  }

  #die(error: unknown): void {
    this.#crash ??= { error }
    this.stop()
  }

  #crowdedBy(who: string): Error {
    return new Error(
      `${who} took more than ${MAX_STEPS_PER_INSTANT} steps at ${this.#steppedAt} ms without letting time pass.`,
    )
  }

  /**
   * Looks from outside, so that a hand-over of the turn costs nothing: where nothing moves for one to two periods of real
   * time, whoever holds the turn waits for nothing that the clock knows of. All else that is awaited has its own limits.
   */
  #watch(): NodeJS.Timeout {
    let before: number | null = null
    return setInterval(() => {
      const isAwaited = this.#holder !== null || this.#unhandled > 0
      if (isAwaited && this.#steps === before) this.#bark()
      before = isAwaited ? this.#steps : null
    }, PERIOD_MS)
  }

  #bark(): void {
    if (this.#holder === null) {
      this.#die(new Error(`At ${this.instant} ms ${this.#unhandled} notifications were sent and never handled.`))
      return
    }
    const { name } = this.#holder
    this.#holder.fail(new Error(`"${name}" kept the turn at ${this.instant} ms for more than 30 s of real time.`))
    this.stop()
  }
}
