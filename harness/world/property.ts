import type { Condition, Effect, Property, Scalar } from '../define/index.js'
import { WorldError } from './error.js'
import type { PropertyDeclaration } from './live.js'
import type { Steps, Variable } from './step.js'

/** A property alive: assignments are checked at once, and published with their step. */
export class LiveProperty<T extends Scalar> implements Property<T>, Variable {
  readonly tool: string
  readonly name: string
  readonly declaration: PropertyDeclaration
  /** The activity whose value this is; null: everybody's. */
  readonly owner: string | null
  readonly #steps: Steps
  readonly #owned = new Map<string, LiveProperty<T>>()
  #value: T
  #at: number

  constructor(made: {
    tool: string
    declaration: PropertyDeclaration
    initial: T
    at: number
    steps: Steps
    owner?: string
  }) {
    this.owner = made.owner ?? null
    this.tool = made.tool
    this.name = made.declaration.name
    this.declaration = made.declaration
    this.#steps = made.steps
    this.#at = made.at
    this.#value = this.#checked(made.initial)
  }

  get value(): T {
    return this.#value
  }

  of(activity: string): LiveProperty<T> {
    const { tool, declaration } = this
    if (declaration.personal !== true || this.owner !== null) return this
    const owned =
      this.#owned.get(activity) ??
      new LiveProperty({ tool, declaration, initial: this.#value, at: this.#at, steps: this.#steps, owner: activity })
    this.#owned.set(activity, owned)
    return owned
  }

  set value(value: T) {
    if (this.declaration.personal === true && this.owner === null)
      throw new WorldError(`\`${this.name}\` of \`${this.tool}\` is personal: assign it by \`of(activity)\`.`)
    const { found } = this.#steps.current(`\`${this.name}\` of \`${this.tool}\` was assigned`)
    const checked = this.#checked(value)
    if (!found.has(this)) found.set(this, this.#value)
    this.#value = checked
  }

  /** When it last changed. */
  get at(): number {
    return this.#at
  }

  restore(value: T): void {
    this.#value = value
  }

  stamp(at: number): void {
    this.#at = at
  }

  /** Whether the property could ever have this value. */
  admits(value: Scalar): boolean {
    if (typeof value === 'number' && !Number.isFinite(value)) return false
    return this.declaration.type.safeParse(value).success
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
    return { tool: this.tool, property: this.name, kind: 'rises', ...bound, ...this.#unit() }
  }
  falls(bound: { by?: number; below?: number } = {}): Effect {
    return { tool: this.tool, property: this.name, kind: 'falls', ...bound, ...this.#unit() }
  }

  #compared(op: Condition['op'], value: number): Condition {
    return { tool: this.tool, property: this.name, op, value, ...this.#unit() }
  }

  #unit(): { unit?: string } {
    const { unit } = this.declaration
    return unit === undefined ? {} : { unit }
  }

  #checked(value: T): T {
    if (this.admits(value)) return value
    throw new WorldError(
      `\`${this.name}\` of \`${this.tool}\` cannot be ${String(value)}: it is outside of the property's type.`,
    )
  }
}
