import type { Condition, Harm, Violation } from '../define/index.js'
import { WorldError } from './error.js'
import type { Steps } from './step.js'

/** A violation alive: it is committed with the step that harms. */
export class LiveViolation implements Violation {
  readonly name: string
  readonly summary: string
  readonly #steps: Steps
  readonly #unit: string
  readonly #nearWithin: number | null

  constructor(made: { name: string; summary: string; unit?: string; nearWithin?: number; steps: Steps }) {
    this.name = made.name
    this.summary = made.summary
    this.#steps = made.steps
    this.#unit = made.unit ?? 'ms'
    this.#nearWithin = made.nearWithin ?? null
  }

  when(condition: Condition): Harm {
    return { violation: this, when: condition }
  }

  commit(): void {
    this.#steps.live(`The violation \`${this.name}\` was committed`).violations.push(this.name)
  }

  margin(distance: number): void {
    const step = this.#steps.live(`A margin to \`${this.name}\` was measured`)
    if (!Number.isFinite(distance)) throw new WorldError(`A margin to \`${this.name}\` cannot be ${distance}.`)
    const near = this.#nearWithin !== null && distance < this.#nearWithin
    step.margins.push({ violation: this.name, distance, unit: this.#unit, near })
  }
}
