import type { Condition, Effect, Instances, Property, Scalar } from '../contract/index.js'
import { WorldError } from './live.js'
import type { PropertyDeclaration } from './live.js'
import { entityIn, fill } from './names.js'
import type { Steps, Variable } from './step.js'

/** What can be stated of a property: conditions on it, and effects. */
class DeclaredState<T extends Scalar> {
  readonly tool: string
  readonly name: string
  readonly declaration: PropertyDeclaration
  protected readonly steps: Steps
  readonly #unit: { unit?: string }

  constructor({ tool, declaration, steps }: { tool: string; declaration: PropertyDeclaration; steps: Steps }) {
    this.tool = tool
    this.name = declaration.name
    this.declaration = declaration
    this.steps = steps
    this.#unit = declaration.unit === undefined ? {} : { unit: declaration.unit }
  }

  /** Whether the property could ever have this value. */
  admits(value: Scalar): boolean {
    return this.declaration.type.safeParse(value).success && (typeof value !== 'number' || Number.isFinite(value))
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

/** A property alive: assignments are checked at once, and published with their step. */
export class LiveProperty<T extends Scalar> extends DeclaredState<T> implements Property<T>, Variable {
  /** The activity whose value this is; null: shared by all activities. */
  readonly owner: string | null
  readonly #owned = new Map<string, LiveProperty<T>>()
  /** Earlier values, in their order. */
  readonly #past: { value: T; at: number; until: number }[] = []
  #since = -Infinity
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
    super(made)
    this.owner = made.owner ?? null
    this.#at = made.at
    this.#value = this.#checked(made.initial)
  }

  get value(): T {
    return this.#value
  }

  of(activity: string): LiveProperty<T> {
    const { tool, declaration, steps } = this
    if (declaration.personal !== true || this.owner !== null) return this
    const owned =
      this.#owned.get(activity) ??
      new LiveProperty({ tool, declaration, initial: this.#value, at: this.#at, steps, owner: activity })
    this.#owned.set(activity, owned)
    return owned
  }

  set value(value: T) {
    if (this.declaration.personal === true && this.owner === null)
      throw new WorldError(`\`${this.name}\` of \`${this.tool}\` is personal: assign it by \`of(activity)\`.`)
    const { found } = this.steps.current(`\`${this.name}\` of \`${this.tool}\` was assigned`)
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

  stamp(at: number, from: T | null): void {
    if (from !== null) this.#past.push({ value: from, at: this.#at, until: at })
    else this.#since = at
    this.#at = at
  }

  /** What it was at a time, and since when; null where it did not exist yet. */
  asOf(time: number): { value: T; at: number } | null {
    if (time < this.#since) return null
    const past = time < this.#at ? this.#past.find(({ until }) => time < until) : undefined
    return { value: past?.value ?? this.#value, at: past?.at ?? this.#at }
  }

  #checked(value: T): T {
    if (this.admits(value)) return value
    const outside = `cannot be ${String(value)}: it is outside of the property's type`
    throw new WorldError(`\`${this.name}\` of \`${this.tool}\` ${outside}.`)
  }
}

const KEY = /^[a-zA-Z0-9_-]{1,64}$/

/** A property that exists once per entity: instances come into being inside of steps, and go with them when they are undone. */
export class LiveInstances<T extends Scalar> extends DeclaredState<T> implements Instances<T> {
  /** By key, in the order of their creation. */
  readonly all = new Map<string, LiveProperty<T>>()
  /** What one of the entities is called, e.g. `job`. */
  readonly entity: string

  constructor(made: { tool: string; declaration: PropertyDeclaration; steps: Steps }) {
    super(made)
    const entity = entityIn(this.name)
    if (entity === null)
      throw new WorldError(
        `\`${this.name}\` of \`${this.tool}\` names no entity: a property with instances is called as \`jobs[<job>].state\` is.`,
      )
    this.entity = entity
  }

  create(key: string, value: T): LiveProperty<T> {
    const name = fill(this.name, { [this.entity]: key })
    const { tool, steps } = this
    const step = steps.current(`\`${name}\` of \`${tool}\` was created`)
    if (!KEY.test(key)) throw new WorldError(`The key ${JSON.stringify(key)} of \`${this.name}\` must fit ${KEY}.`)
    if (this.all.has(key)) throw new WorldError(`\`${name}\` of \`${this.tool}\` exists already.`)
    const declaration = { ...this.declaration, name }
    const property = new LiveProperty<T>({ tool, declaration, initial: value, at: 0, steps })
    this.all.set(key, property)
    step.found.set(property, null)
    step.created.push({ entity: this.entity, key, undo: () => this.all.delete(key) })
    return property
  }

  get(key: string): LiveProperty<T> | null {
    return this.all.get(key) ?? null
  }

  becomesArgument(name: string): Effect {
    return { tool: this.tool, property: this.name, kind: 'becomes', value: `<${name}>` }
  }
}
