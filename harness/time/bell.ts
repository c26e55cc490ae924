import type { Bell } from '../define/index.js'

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
