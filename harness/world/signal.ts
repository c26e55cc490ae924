import type { Json, Signal } from '../define/index.js'
import { WorldError } from './error.js'
import type { SignalDeclaration } from './live.js'
import type { Steps } from './step.js'

/** A signal alive: what it carries is copied at once and published with its step. */
export class LiveSignal<P extends Json> implements Signal<P> {
  readonly tool: string
  readonly name: string
  readonly declaration: SignalDeclaration
  readonly #steps: Steps

  constructor(made: { tool: string; declaration: SignalDeclaration; steps: Steps }) {
    this.tool = made.tool
    this.name = made.declaration.name
    this.declaration = made.declaration
    this.#steps = made.steps
  }

  emit(payload: P, options: { of?: string; to?: string; except?: string } = {}): void {
    const step = this.#steps.live(`\`${this.name}\` was emitted`)
    const copy = structuredClone(payload)
    const parsed = this.declaration.payload.safeParse(copy, { jitless: true })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const where = issue?.path.map(String).join('.') ?? ''
      throw new WorldError(
        `The payload of \`${this.name}\` does not fit its type at "${where}": ${issue?.message ?? ''}.`,
      )
    }
    const operation = options.of ?? step.operation
    const { to = null, except = null } = options
    step.signals.push({ tool: this.tool, signal: this.name, payload: copy, operation, to, except })
  }
}
