import type { Json, Scalar } from '../contract/index.js'
import { WorldError } from './live.js'

/** A state variable as a step sees it. */
export interface Variable {
  readonly tool: string
  readonly name: string
  /** The activity whose value it is; null: shared by all activities. */
  readonly owner: string | null
  readonly value: Scalar
  restore(value: Scalar): void
  /** Called at the commit of a step that changed it. */
  stamp(at: number, from: Scalar | null): void
}

export interface Timer {
  readonly delayMs: number
  readonly action: () => void
  readonly operation: string | null
  stop: (() => void) | null
}

export interface Emission {
  tool: string
  signal: string
  payload: Json
  operation: string | null
  /** The one activity that hears it, and the one that does not; null: no such exception. */
  to: string | null
  except: string | null
}

/** What one step has done so far. It is published as a whole, or undone as a whole. */
export class Step {
  /** The values that the step found, in the order of their first change; null: there was none before. */
  readonly found = new Map<Variable, Scalar | null>()
  /** Entities that came into being, each with its way back. */
  readonly created: { entity: string; key: string; undo: () => void }[] = []
  readonly signals: Emission[] = []
  readonly violations: string[] = []
  readonly margins: { violation: string; distance: number; unit: string; near: boolean }[] = []
  readonly timers: Timer[] = []
  readonly cancelled = new Set<Timer>()

  /** Setup writes initial values: they are no changes, and nobody could hear a signal. */
  constructor(
    readonly setup: boolean,
    readonly operation: string | null,
  ) {}
}

/** Runs steps one at a time (docs/design.md#worlds: an operation or a timer is one step). */
export class Steps {
  #current: Step | null = null

  constructor(private readonly publish: (step: Step) => void) {}

  /** The step that runs; whoever changes the world outside of one has a bug. */
  current(action: string): Step {
    if (this.#current !== null) return this.#current
    throw new WorldError(`${action} outside of a step: a world changes in operations and in \`after\` alone.`)
  }

  live(action: string): Step {
    const step = this.current(action)
    if (step.setup) throw new WorldError(`${action} during setup: nothing happens in a world before time begins.`)
    return step
  }

  /** The entities that the step has brought into being, by what they are called. */
  made(): Record<string, string> {
    return Object.fromEntries(this.current('Entities were counted').created.map(({ entity, key }) => [entity, key]))
  }

  setupOnly(what: string): void {
    if (this.#current?.setup !== true) throw new WorldError(`${what} was declared after setup.`)
  }

  setUp<T>(body: () => T): T {
    return this.#run(true, null, body)
  }

  run<T>(operation: string | null, body: () => T): T {
    return this.#run(false, operation, body)
  }

  #run<T>(setup: boolean, operation: string | null, body: () => T): T {
    if (this.#current !== null) throw new WorldError('A step began inside another one.')
    const step = new Step(setup, operation)
    this.#current = step
    let result: T
    try {
      result = body()
    } catch (error) {
      for (const [variable, value] of step.found) if (value !== null) variable.restore(value)
      for (const { undo } of step.created) undo()
      throw error
    } finally {
      this.#current = null
    }
    this.publish(step)
    return result
  }
}
