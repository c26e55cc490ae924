import type { Bell, Clock, ClockEnd, Process } from '../define/index.js'
import { StickyBell } from './bell.js'
import { checkedDelay } from './delay.js'
import { VirtualProcess } from './process.js'
import type { Scheduler } from './process.js'
import { EventQueue, Rank } from './queue.js'
import type { Entry } from './queue.js'
import { Requests } from './requests.js'
import { watch } from './watchdog.js'

const MAX_STEPS_PER_INSTANT = 100_000

/** A discrete-event clock: nothing waits in real time but for requests and notifications that are under way. */
export function createVirtualClock(): Clock {
  return new VirtualClock()
}

class VirtualClock implements Clock, Scheduler {
  readonly queue = new EventQueue()
  readonly requests = new Requests(() => this.#wake())
  over = false
  readonly #processes: VirtualProcess[] = []
  #now = 0
  #steps = 0
  #stepsAtInstant = 0
  #alive = 0
  #holder: VirtualProcess | null = null
  #roused: VirtualProcess[] = []
  #unhandled = 0
  #inAmbient = false
  #started = false
  #crash: { error: unknown } | null = null
  #wake: () => void = () => {}

  now(): number {
    return this.#now
  }

  after(delayMs: number, action: () => void, options: { ambient?: boolean } = {}): () => void {
    const ambient = this.#inAmbient || (options.ambient ?? false)
    const entry = this.queue.add(this.#now + checkedDelay(delayMs), Rank.world, action, { ambient })
    return () => this.queue.cancel(entry)
  }

  bell(): Bell {
    return new StickyBell()
  }

  spawn(name: string, body: (self: Process) => Promise<void>): { ended: Bell } {
    if (this.over) return { ended: this.bell() }
    const process = new VirtualProcess(name, this.#processes.length, this, body)
    this.#processes.push(process)
    this.#alive += 1
    return { ended: process.ended }
  }

  sent(): void {
    this.#unhandled += 1
  }

  handled(): void {
    this.#unhandled -= 1
    if (this.#unhandled < 0) this.#die(new Error('More notifications were handled than sent.'))
    if (this.#unhandled === 0) this.#wake()
  }

  async run({ untilMs }: { untilMs: number }): Promise<ClockEnd> {
    if (this.#started) throw new Error('A clock runs once.')
    this.#started = true
    const watchdog = watch(
      () => this.#stuckAt(),
      () => this.#bark(),
    )
    try {
      const how = await this.#loop(untilMs)
      const failed = this.#processes.flatMap(({ name, failure }) =>
        failure === null ? [] : [{ process: name, error: failure.error }],
      )
      return { how, failed }
    } finally {
      watchdog.end()
      this.#end()
    }
  }

  settle(untilMs: number): number {
    if (!this.over) throw new Error('A clock settles after its run.')
    this.#end()
    while (this.queue.keeping > 0) {
      const next = this.queue.peek()
      if (next === undefined || next.at > untilMs) {
        this.#now = Math.max(this.#now, untilMs)
        break
      }
      this.#step(next)
    }
    return this.#now
  }

  stop(): void {
    this.over = true
    this.#wake()
  }

  grant(process: VirtualProcess, resume: () => void): void {
    if (this.#stepsAtInstant > MAX_STEPS_PER_INSTANT) {
      this.#stepsAtInstant = 0
      process.fail(new Error(`"${process.name}" ${crowd(this.#now)}`))
      return
    }
    this.#holder = process
    resume()
  }

  released(process: VirtualProcess): void {
    if (this.#holder !== process) return
    this.#holder = null
    this.#wake()
  }

  rouse(process: VirtualProcess): void {
    this.#roused.push(process)
  }

  finished(process: VirtualProcess): void {
    this.#alive -= 1
    this.released(process)
  }

  /** One turn of the loop is one hand-over. Whatever really takes time is awaited before it, so it decides nothing. */
  async #loop(untilMs: number): Promise<ClockEnd['how']> {
    for (;;) {
      while (this.#unhandled > 0 && !this.over) await this.#parked()
      if (this.#crash !== null) throw this.#crash.error
      if (this.over) return 'stopped'
      this.#makeRousedDue()
      if (this.#alive === 0) return 'ended'
      const next = this.queue.peek()
      if (this.requests.toLand && !this.#isDueBeforeTimeouts(next)) {
        while (this.requests.underway > 0 && !this.over) await this.#parked()
        if (!this.over) this.requests.land()
        continue
      }
      if (next === undefined || this.queue.keeping === 0) return 'deadlocked'
      if (next.at > untilMs) {
        this.#now = untilMs
        return 'out_of_time'
      }
      this.#step(next)
      while (this.#holder !== null && !this.over) await this.#parked()
    }
  }

  #parked(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #step(next: Entry): void {
    this.queue.pop()
    if (next.at > this.#now) this.#stepsAtInstant = 0
    this.#now = next.at
    this.#steps += 1
    this.#stepsAtInstant += 1
    if (next.rank === Rank.world && this.#stepsAtInstant > MAX_STEPS_PER_INSTANT) {
      throw new Error(`The world ${crowd(this.#now)}`)
    }
    this.#inAmbient = next.ambient
    try {
      next.action()
    } finally {
      this.#inAmbient = false
    }
  }

  #makeRousedDue(): void {
    if (this.#roused.length === 0) return
    const roused = this.#roused.toSorted((a, b) => a.index - b.index)
    this.#roused = []
    for (const process of roused) process.becomeDue()
  }

  /** Thoughts land before the time-outs of their instant: one that lasts 0 ms must not lose the tie against them. */
  #isDueBeforeTimeouts(next: Entry | undefined): boolean {
    return next !== undefined && next.at === this.#now && next.rank !== Rank.timeout
  }

  #end(): void {
    this.over = true
    for (const process of this.#processes) process.abandon()
  }

  #die(error: unknown): void {
    this.#crash ??= { error }
    this.stop()
  }

  #stuckAt(): number | null {
    return this.requests.underway > 0 ? null : this.#steps
  }

  #bark(): void {
    if (this.#holder === null) {
      this.#die(new Error(`At ${this.#now} ms ${this.#unhandled} notifications were sent and never handled.`))
      return
    }
    const { name } = this.#holder
    this.#holder.fail(new Error(`"${name}" kept the turn at ${this.#now} ms for more than 30 s of real time.`))
    this.stop()
  }
}

function crowd(at: number): string {
  return `took more than ${MAX_STEPS_PER_INSTANT} steps at ${at} ms without letting time pass.`
}
