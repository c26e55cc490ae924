import type { Bell, ClockEnd, Process, Thought } from '../contract/index.js'
import { StickyBell, Waiting, ownBell } from './bell.js'
import type { How, Listener } from './bell.js'
import { Rank, checkedDelay } from './queue.js'
import type { EventQueue } from './queue.js'

type Answer<T> = { ok: true; value: T; lastsMs: number } | { ok: false; error: unknown }

/**
 * The requests that are under way side by side. On the virtual clock they all left at the present instant, and land
 * together. What landing does must not depend on which was answered first: every thought has reserved its place in the
 * queue when it asked.
 */
export class Requests {
  /** How many are not answered yet. */
  underway = 0
  #landings: (() => void)[] = []

  /** `answered` hears of every answer. */
  constructor(private readonly answered: () => void) {}

  /** Is one answered that has not landed? */
  get isAnswered(): boolean {
    return this.#landings.length > 0
  }

  get toLand(): boolean {
    return this.underway > 0 || this.isAnswered
  }

  send<T>(start: () => Promise<{ value: T; lastsMs: number }>, land: (answer: Answer<T>) => void): void {
    this.underway += 1
    const ask = async (): Promise<void> => {
      const answer = await answerOf(start)
      this.#landings.push(() => land(answer))
      this.underway -= 1
      this.answered()
    }
    void ask()
  }

  land(): void {
    const landings = this.#landings
    this.#landings = []
    for (const land of landings) land()
  }
}

/** Never rejects. A duration that is none is the request's failure. */
async function answerOf<T>(start: () => Promise<{ value: T; lastsMs: number }>): Promise<Answer<T>> {
  try {
    const { value, lastsMs } = await start()
    return { ok: true, value, lastsMs: checkedDelay(lastsMs) }
  } catch (error) {
    return { ok: false, error }
  }
}

/** What a process needs of the clock that runs it. */
export interface Scheduler {
  readonly queue: EventQueue
  readonly requests: Requests
  readonly over: boolean
  now(): number
  /** Gives the turn to the process and calls `resume` in it. */
  grant(process: ClockProcess, resume: () => void): void
  released(process: ClockProcess): void
  /** The process becomes due at the next hand-over. */
  rouse(process: ClockProcess): void
  finished(process: ClockProcess): void
}

/** A cooperative process of a clock. It is either waiting, or holds the turn, or has ended. */
export class ClockProcess implements Process, Listener {
  readonly ended = new StickyBell()
  failure: { error: unknown } | null = null
  #waiting: Waiting | null
  #over = false

  constructor(
    readonly name: string,
    readonly index: number,
    private readonly scheduler: Scheduler,
    body: (self: Process) => Promise<void>,
  ) {
    this.#waiting = this.#newWaiting('start')
    this.#waiting.resume = () => void this.#live(body)
    this.#waiting.dueAt(scheduler.now(), Rank.process)
  }

  sleep(delayMs: number): Promise<void> {
    const at = this.scheduler.now() + checkedDelay(delayMs)
    return this.#release('sleep', (waiting, resolve) => {
      waiting.resume = () => resolve()
      waiting.dueAt(at, Rank.process)
    })
  }

  wait(bell: Bell, timeoutMs: number | null): Promise<'rung' | 'timeout'> {
    const at = timeoutMs === null ? null : this.scheduler.now() + checkedDelay(timeoutMs)
    const sticky = ownBell(bell)
    return this.#release('wait', (waiting, resolve) => {
      waiting.resume = (how) => resolve(how === 'rung' ? 'rung' : 'timeout')
      if (at !== null) waiting.dueAt(at, Rank.timeout)
      waiting.listen(sticky, this)
    })
  }

  think<T>(start: () => Promise<{ value: T; lastsMs: number }>, interrupt?: Bell): Promise<Thought<T>> {
    const sticky = interrupt === undefined ? null : ownBell(interrupt)
    const { queue, requests } = this.scheduler
    const began = this.scheduler.now()
    // The place in the queue is that of the asking, so that it does not matter when the answer really comes.
    const order = queue.reserve()
    return this.#release('think', (waiting, resolve, reject) => {
      requests.send(start, (answer) => {
        if (this.#waiting !== waiting) return
        if (!answer.ok) {
          waiting.resume = () => reject(answer.error)
          waiting.dueAt(this.scheduler.now(), Rank.process, order)
          return
        }
        waiting.resume = (how) =>
          resolve({ value: how === 'rung' ? null : answer.value, tookMs: this.scheduler.now() - began })
        waiting.dueAt(Math.max(began + answer.lastsMs, this.scheduler.now()), Rank.process, order)
        if (sticky !== null) waiting.listen(sticky, this)
      })
    })
  }

  rung(): void {
    this.scheduler.rouse(this)
  }

  becomeDue(): void {
    this.#waiting?.rungAt(this.scheduler.now(), this)
  }

  /** Its promises never settle from now on. */
  abandon(): void {
    this.#over = true
    this.#waiting?.forget(this)
    this.#waiting = null
  }

  /** Ends the process with an error without unwinding it: code that catches everything could not be stopped otherwise. */
  fail(error: unknown): void {
    this.#finish({ error })
  }

  async #live(body: (self: Process) => Promise<void>): Promise<void> {
    try {
      await body(this)
    } catch (error) {
      this.fail(error)
      return
    }
    if (this.#waiting === null) this.#finish(null)
    else this.fail(new Error(`"${this.name}" ended while its ${this.#waiting.what} was not awaited.`))
  }

  #finish(failure: { error: unknown } | null): void {
    if (this.#over || this.scheduler.over) return
    this.abandon()
    this.failure = failure
    this.ended.ring()
    this.scheduler.finished(this)
  }

  #release<T>(
    what: string,
    begin: (waiting: Waiting, resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#over || this.scheduler.over) return
      if (this.#waiting !== null) {
        const other = this.#waiting.what
        this.fail(new Error(`"${this.name}" began to ${what} while its ${other} was not over: two waits at once.`))
      } else {
        this.#waiting = this.#newWaiting(what)
        begin(this.#waiting, resolve, reject)
        this.scheduler.released(this)
      }
    })
  }

  #newWaiting(what: string): Waiting {
    return new Waiting(what, this.scheduler.queue, (waiting, how) => this.#resume(waiting, how))
  }

  #resume(waiting: Waiting, how: How): void {
    this.scheduler.grant(this, () => {
      waiting.forget(this)
      this.#waiting = null
      waiting.resume(how)
    })
  }
}

/** The processes of a clock, in the order in which they were spawned. */
export class Processes {
  alive = 0
  readonly #all: ClockProcess[] = []
  #woken: ClockProcess[] = []

  spawn(name: string, scheduler: Scheduler, body: (self: Process) => Promise<void>): ClockProcess {
    const process = new ClockProcess(name, this.#all.length, scheduler, body)
    this.#all.push(process)
    this.alive += 1
    return process
  }

  /** Was rung: it becomes due at the next hand-over. */
  rouse(process: ClockProcess): void {
    this.#woken.push(process)
  }

  /** In spawn order, whoever was rung first. */
  makeWokenDue(): void {
    if (this.#woken.length === 0) return
    const woken = this.#woken.toSorted((a, b) => a.index - b.index)
    this.#woken = []
    for (const process of woken) process.becomeDue()
  }

  failed(): ClockEnd['failed'] {
    return this.#all.flatMap(({ name, failure }) => (failure === null ? [] : [{ process: name, error: failure.error }]))
  }

  abandon(): void {
    for (const process of this.#all) process.abandon()
  }
}
