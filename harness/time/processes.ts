import type { ClockEnd, Process } from '../define/index.js'
import { ClockProcess } from './process.js'
import type { Scheduler } from './process.js'

/** The processes of a clock, in the order in which they were spawned. */
export class Processes {
  readonly #all: ClockProcess[] = []
  #alive = 0
  #roused: ClockProcess[] = []

  get alive(): number {
    return this.#alive
  }

  spawn(name: string, scheduler: Scheduler, body: (self: Process) => Promise<void>): ClockProcess {
    const process = new ClockProcess(name, this.#all.length, scheduler, body)
    this.#all.push(process)
    this.#alive += 1
    return process
  }

  finished(): void {
    this.#alive -= 1
  }

  /** Was rung: it becomes due at the next hand-over. */
  rouse(process: ClockProcess): void {
    this.#roused.push(process)
  }

  /** In spawn order, whoever was rung first. */
  makeRousedDue(): void {
    if (this.#roused.length === 0) return
    const roused = this.#roused.toSorted((a, b) => a.index - b.index)
    this.#roused = []
    for (const process of roused) process.becomeDue()
  }

  failed(): ClockEnd['failed'] {
    return this.#all.flatMap(({ name, failure }) => (failure === null ? [] : [{ process: name, error: failure.error }]))
  }

  abandon(): void {
    for (const process of this.#all) process.abandon()
  }
}
