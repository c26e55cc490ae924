import type { Bell } from '../contract/index.js'
import { Rank } from './queue.js'
import type { Entry, EventQueue } from './queue.js'

/** Who can be woken by a bell; it is told of every ring until it detaches itself. */
export interface Listener {
  rung(): void
}

/** Stays rung until it is reset, so a ring that comes before the wait is not lost, and late joiners see it too. */
export class StickyBell implements Bell {
  readonly #listeners = new Set<Listener>()
  #isRung = false

  ring(): void {
    this.#isRung = true
    for (const listener of this.#listeners) listener.rung()
  }

  reset(): void {
    this.#isRung = false
  }

  /** Tells `listener` now if the bell has rung already. */
  attach(listener: Listener): void {
    this.#listeners.add(listener)
    if (this.#isRung) listener.rung()
  }

  detach(listener: Listener): void {
    this.#listeners.delete(listener)
  }
}

/** How a wait was over: its time had come, or its bell had rung. */
export type How = 'due' | 'rung'

/** One wait of a process: until a time, a bell, or whichever comes first. */
export class Waiting {
  /** What goes on afterwards; set by the wait that this is. */
  resume: (how: How) => void = () => {}
  #timer: Entry | null = null
  #bell: StickyBell | null = null

  constructor(
    readonly what: string,
    private readonly queue: EventQueue,
    private readonly over: (waiting: Waiting, how: How) => void,
  ) {}

  dueAt(at: number, rank: Rank, order = this.queue.reserve()): void {
    this.#timer = this.queue.add(at, rank, () => this.over(this, 'due'), { order })
  }

  listen(bell: StickyBell, listener: Listener): void {
    this.#bell = bell
    bell.attach(listener)
  }

  /** Takes a place in the queue for a ring. What is due now anyway (a thought that is just complete) stays as it is. */
  rungAt(now: number, listener: Listener): void {
    if (this.#timer?.rank === Rank.process && this.#timer.at === now) return
    this.forget(listener)
    this.#timer = this.queue.add(now, Rank.process, () => this.over(this, 'rung'))
  }

  forget(listener: Listener): void {
    if (this.#timer !== null) this.queue.cancel(this.#timer)
    this.#bell?.detach(listener)
    this.#timer = null
    this.#bell = null
  }
}

export function ownBell(bell: Bell): StickyBell {
  if (bell instanceof StickyBell) return bell
  throw new TypeError('A process can wait only for a bell that its clock made.')
}
