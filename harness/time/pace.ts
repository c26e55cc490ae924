const MAX_STEPS_PER_INSTANT = 100_000

/** Counts the steps of a clock: time that does not move is an error of whoever keeps it. */
export class Pace {
  steps = 0
  #atInstant = 0
  #instant = 0

  step(at: number): void {
    if (at > this.#instant) this.#atInstant = 0
    this.#instant = at
    this.steps += 1
    this.#atInstant += 1
  }

  get isCrowded(): boolean {
    return this.#atInstant > MAX_STEPS_PER_INSTANT
  }

  /** Who has crowded the instant is gone: the others may take their steps. */
  relent(): void {
    this.#atInstant = 0
  }

  crowded(who: string): Error {
    return new Error(
      `${who} took more than ${MAX_STEPS_PER_INSTANT} steps at ${this.#instant} ms without letting time pass.`,
    )
  }
}
