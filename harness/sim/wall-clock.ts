import type { Clock, ClockEnd } from '../contract/index.js'
import { EventClock } from './event-clock.js'
import type { ClockProcess } from './process.js'
import type { Entry } from './queue.js'

/** Real time as the wall clock needs it. */
export interface RealTime {
  /** Ms since some beginning; never goes back. */
  now(): number
  /** Calls `due` in about so many ms; the returned function cancels that. */
  after(delayMs: number, due: () => void): () => void
  /** Lets timers, sockets and processes have their say. */
  breath(): Promise<void>
}

/** Longer ones overflow; whoever wakes too early looks again. */
const LONGEST_MS = 2 ** 30

const realTime: RealTime = {
  now: () => performance.now(),
  after(delayMs, due) {
    const timer = setTimeout(due, Math.min(delayMs, LONGEST_MS))
    return () => clearTimeout(timer)
  },
  breath: () => new Promise((resolve) => setImmediate(resolve)),
}

/** How long (real ms) it may be at work before it lets others in. */
const YIELD_MS = 5

/**
 * A clock on real time, `speed` times as fast. Events keep their order and their due times even where they come late. A
 * request does not hold the world up: the thought ends when its answer is there, and not before what it says it lasts.
 */
export function createWallClock({ speed = 1, real = realTime }: { speed?: number; real?: RealTime } = {}): Clock {
  if (!Number.isFinite(speed) || speed <= 0) throw new RangeError(`A speed is a number above 0, not ${speed}.`)
  return new WallClock(speed, real)
}

class WallClock extends EventClock {
  #began: number | null = null
  #breathedAt = -Infinity
  #isParked = false

  constructor(
    private readonly speed: number,
    private readonly real: RealTime,
  ) {
    super()
  }

  override run(limits: { untilMs: number }): Promise<ClockEnd> {
    this.#began ??= this.real.now()
    return super.run(limits)
  }

  override rouse(process: ClockProcess): void {
    // Who rings from outside rings now, not at the last instant of the clock.
    if (this.#isParked) this.catchUp()
    super.rouse(process)
    this.wake()
  }

  protected override catchUp(): void {
    const next = this.queue.peek()?.at ?? Infinity
    this.instant = Math.max(this.instant, Math.min(Math.floor(this.#elapsed()), next))
  }

  protected override next(untilMs: number): Entry | ClockEnd['how'] | Promise<void> {
    // A clock that lags behind must not keep what comes from outside from coming in.
    if (this.real.now() - this.#breathedAt > YIELD_MS) return this.#breath()
    if (this.requests.isAnswered) {
      this.requests.land()
      return Promise.resolve()
    }
    const next = this.queue.peek()
    const isOutsideBusy = this.requests.underway > 0
    if (!isOutsideBusy && (next === undefined || this.queue.keeping === 0)) return 'deadlocked'
    const dueAt = Math.min(next?.at ?? Infinity, untilMs)
    if (this.#elapsed() < dueAt) return this.#parkedUntil(dueAt)
    if (next !== undefined && next.at <= untilMs) return next
    this.instant = untilMs
    return 'out_of_time'
  }

  async #parkedUntil(at: number): Promise<void> {
    const began = this.#began ?? this.real.now()
    const cancel = this.real.after(Math.max(0, began + at / this.speed - this.real.now()), () => this.wake())
    this.#isParked = true
    await this.parked()
    this.#isParked = false
    cancel()
  }

  async #breath(): Promise<void> {
    await this.real.breath()
    this.#breathedAt = this.real.now()
  }

  /** Of this clock's time. */
  #elapsed(): number {
    return this.#began === null ? 0 : (this.real.now() - this.#began) * this.speed
  }
}
