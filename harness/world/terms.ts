import type { Condition, Effect, Scalar } from '../define/index.js'

/** What can be stated of a property: conditions on it, and effects. */
export class Terms<T extends Scalar> {
  readonly tool: string
  readonly name: string
  readonly #unit: { unit?: string }

  constructor(of: { tool: string; name: string; unit: string | undefined }) {
    this.tool = of.tool
    this.name = of.name
    this.#unit = of.unit === undefined ? {} : { unit: of.unit }
  }

  is(value: T): Condition {
    return { tool: this.tool, property: this.name, op: 'is', value }
  }
  below(value: number): Condition {
    return this.#compared('below', value)
  }
  above(value: number): Condition {
    return this.#compared('above', value)
  }
  atLeast(value: number): Condition {
    return this.#compared('at_least', value)
  }
  atMost(value: number): Condition {
    return this.#compared('at_most', value)
  }
  becomes(value: T): Effect {
    return { tool: this.tool, property: this.name, kind: 'becomes', value }
  }
  rises(bound: { by?: number; above?: number } = {}): Effect {
    return { tool: this.tool, property: this.name, kind: 'rises', ...bound, ...this.#unit }
  }
  falls(bound: { by?: number; below?: number } = {}): Effect {
    return { tool: this.tool, property: this.name, kind: 'falls', ...bound, ...this.#unit }
  }

  #compared(op: Condition['op'], value: number): Condition {
    return { tool: this.tool, property: this.name, op, value, ...this.#unit }
  }
}
