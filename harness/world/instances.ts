import type { Instances, Effect, Scalar } from '../define/index.js'
import { WorldError } from './error.js'
import type { PropertyDeclaration } from './live.js'
import { entityIn, fill } from './names.js'
import { LiveProperty } from './property.js'
import type { Steps } from './step.js'
import { Terms } from './terms.js'

const KEY = /^[a-zA-Z0-9_-]{1,64}$/

/** A property that exists once per entity: instances come into being inside of steps, and go with them when they are undone. */
export class LiveInstances<T extends Scalar> extends Terms<T> implements Instances<T> {
  readonly declaration: PropertyDeclaration
  /** By key, in the order of their creation. */
  readonly all = new Map<string, LiveProperty<T>>()
  readonly #steps: Steps
  /** What one of the entities is called, e.g. `job`. */
  readonly entity: string

  constructor(made: { tool: string; declaration: PropertyDeclaration; steps: Steps }) {
    const { tool, declaration, steps } = made
    const entity = entityIn(declaration.name)
    if (entity === null)
      throw new WorldError(
        `\`${declaration.name}\` of \`${tool}\` names no entity: a property with instances is called as \`jobs[<job>].state\` is.`,
      )
    super({ tool, name: declaration.name, unit: declaration.unit })
    this.declaration = declaration
    this.#steps = steps
    this.entity = entity
  }

  create(key: string, value: T): LiveProperty<T> {
    const name = fill(this.name, { [this.entity]: key })
    const step = this.#steps.current(`\`${name}\` of \`${this.tool}\` was created`)
    if (!KEY.test(key)) throw new WorldError(`The key ${JSON.stringify(key)} of \`${this.name}\` must fit ${KEY}.`)
    if (this.all.has(key)) throw new WorldError(`\`${name}\` of \`${this.tool}\` exists already.`)
    const property = new LiveProperty<T>({
      tool: this.tool,
      declaration: { ...this.declaration, name },
      initial: value,
      at: 0,
      steps: this.#steps,
    })
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

  admits(value: Scalar): boolean {
    return this.declaration.type.safeParse(value).success
  }
}
