import { z } from 'zod'
import type {
  Artifact,
  Condition,
  Instances,
  Json,
  JsonObject,
  Operation,
  OperationCall,
  OperationDeclaration,
  Property,
  Requirement,
  Scalar,
  Signal,
  Violation,
} from '../contract/index.js'
import { WorldError } from './live.js'
import type { OperationDeclared, SignalDeclaration } from './live.js'
import { LiveInstances, LiveProperty } from './property.js'
import type { Steps } from './step.js'

/** Shared: to make a schema costs more than to run an operation. */
const NO_ARGUMENTS = z.strictObject({})

type Parsed<A> = { ok: true; args: A } | { ok: false; message: string }

/** Arguments of one operation: strict, and what is wrong is said in one sentence. */
function parseArguments(schema: z.ZodType, known: string[], args: JsonObject): Parsed<unknown> {
  const stranger = Object.keys(args).find((name) => !known.includes(name))
  if (stranger !== undefined) {
    const expected = known.length === 0 ? 'It takes none.' : `Known: ${known.join(', ')}.`
    return { ok: false, message: `There is no argument ${quoted(stranger)}. ${expected}` }
  }
  const result = schema.safeParse(args, { jitless: true })
  if (result.success) return { ok: true, args: result.data }
  const [issue] = result.error.issues
  return { ok: false, message: issue === undefined ? 'The arguments are invalid.' : complaint(issue, args) }
}

function complaint(issue: z.core.$ZodIssue, args: JsonObject): string {
  const [name] = issue.path
  const what = issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '')
  if (name === undefined) return `The arguments are invalid: ${what}.`
  const path = issue.path.map(String).join('.')
  if (args[String(name)] === undefined) return `Argument ${quoted(path)} is missing: ${what}.`
  return `Argument ${quoted(path)} is invalid: ${what}.`
}

/** What a caller wrote, kept short and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}

/** A signal alive: what it carries is copied at once and published with its step. */
class LiveSignal<P extends Json> implements Signal<P> {
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

/** An operation alive. */
export interface LiveOperation {
  declaration: OperationDeclared
  /** Arguments that fit come back as the body that is ready to run. */
  prepare: (args: JsonObject) => Parsed<(call: OperationCall) => string>
  harm: (violation: Violation) => string
}

/** One Enhanced Tool, complete when setup has returned. */
export class LiveArtifact implements Artifact {
  readonly properties = new Map<string, LiveProperty<Scalar>>()
  /** Properties that exist once per entity, by their declared names. */
  readonly instances = new Map<string, LiveInstances<Scalar>>()
  readonly signals = new Map<string, LiveSignal<Json>>()
  readonly operations = new Map<string, LiveOperation>()
  readonly name: string
  readonly summary: string
  readonly #steps: Steps
  readonly #at: number

  constructor(made: { name: string; summary: string; steps: Steps; at: number }) {
    this.name = made.name
    this.summary = made.summary
    this.#steps = made.steps
    this.#at = made.at
  }

  property<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    initial: z.output<T>,
    meaning: string,
    options: { unit?: string; range?: string; personal?: boolean } = {},
  ): Property<z.output<T>> {
    const property = new LiveProperty<z.output<T>>({
      tool: this.name,
      declaration: { name, type, meaning, ...options },
      initial,
      at: this.#at,
      steps: this.#steps,
    })
    this.#declare('property', name, this.properties)
    this.properties.set(name, property)
    return property
  }

  propertyPer<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    meaning: string,
    options: { unit?: string; range?: string } = {},
  ): Instances<z.output<T>> {
    const instances = new LiveInstances<z.output<T>>({
      tool: this.name,
      declaration: { name, type, meaning, ...options },
      steps: this.#steps,
    })
    this.#declare('property', name, this.instances)
    this.instances.set(name, instances)
    return instances
  }

  signal<P extends z.ZodType<Json>>(
    name: string,
    payload: P,
    trigger: string,
    options: { when?: Condition[] } = {},
  ): Signal<z.output<P>> {
    this.#declare('signal', name, this.signals)
    const declaration = { name, payload, trigger, when: options.when ?? [] }
    const signal = new LiveSignal<z.output<P>>({ tool: this.name, declaration, steps: this.#steps })
    this.signals.set(name, signal)
    return signal
  }

  operation<A extends z.ZodType>(
    name: string,
    declaration: OperationDeclaration<A>,
    body: (args: z.output<A>, call: OperationCall) => string,
  ): Operation {
    this.#declare('operation', name, this.operations)
    const schema: z.ZodType = declaration.args ?? NO_ARGUMENTS
    if (!(schema instanceof z.ZodObject))
      throw new WorldError(`The arguments of \`${name}\` of \`${this.name}\` are no z.strictObject.`)
    const known = Object.keys(schema.shape)
    this.operations.set(name, {
      declaration: declared(name, declaration, schema),
      prepare: (args) => {
        const parsed = parseArguments(schema, known, args)
        if (!parsed.ok) return parsed
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schema of A, which is the empty object where none was declared
        const fitting = parsed.args as z.output<A>
        return { ok: true, args: (call) => body(fitting, call) }
      },
      harm: (violation) => declaration.harm?.(violation) ?? violation.summary,
    })
    return { tool: this.name, name }
  }

  #declare(kind: string, name: string, known: ReadonlyMap<string, unknown>): void {
    if (known.has(name)) throw new WorldError(`\`${this.name}\` has two of the ${kind} \`${name}\`.`)
    this.#steps.setupOnly(`The ${kind} \`${name}\``)
  }
}

function declared<A extends z.ZodType>(
  name: string,
  declaration: OperationDeclaration<A>,
  args: z.ZodObject,
): OperationDeclared {
  const { summary, behaviour, placeholders = {}, requires = [], effects = [], completes = [] } = declaration
  return {
    name,
    summary,
    behaviour,
    args,
    placeholders,
    requires: requires.map(asRequirement),
    effects,
    completes: completes.map(({ signal, effects: later }) => ({
      tool: signal.tool,
      signal: signal.name,
      effects: later,
    })),
  }
}

function asRequirement(rule: Condition | Requirement): Requirement {
  return 'condition' in rule ? rule : { condition: rule, otherwise: 'refuse' }
}
