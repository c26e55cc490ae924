import type { Property, Scalar } from '../define/index.js'
import { WorldError } from './error.js'
import type { PropertyDeclaration } from './live.js'
import type { Steps, Variable } from './step.js'
import { Terms } from './terms.js'

/** A property alive: assignments are checked at once, and published with their step. */
export class LiveProperty<T extends Scalar> extends Terms<T> implements Property<T>, Variable {
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
    super({ tool: made.tool, name: made.declaration.name, unit: made.declaration.unit })
    this.owner = made.owner ?? null
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

  #checked(value: T): T {
    if (this.admits(value)) return value
    throw new WorldError(
      `\`${this.name}\` of \`${this.tool}\` cannot be ${String(value)}: it is outside of the property's type.`,
    )
  }
}
