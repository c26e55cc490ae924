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

/** What is wrong with the arguments of an operation, in one sentence. */
function complaint({ issues: [issue] }: z.ZodError, args: JsonObject): string {
  if (issue === undefined) return 'The arguments are invalid.'
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
  readonly name: string

  constructor(
    readonly tool: string,
    readonly declaration: SignalDeclaration,
    private readonly steps: Steps,
  ) {
    this.name = declaration.name
  }

  emit(payload: P, options: { of?: string; to?: string; except?: string } = {}): void {
    const step = this.steps.live(`\`${this.name}\` was emitted`)
    const copy = structuredClone(payload)
    const parsed = this.declaration.payload.safeParse(copy, { jitless: true })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const misfit = `does not fit its type at "${issue?.path.map(String).join('.') ?? ''}": ${issue?.message ?? ''}`
      throw new WorldError(`The payload of \`${this.name}\` ${misfit}.`)
    }
    const { of: operation = step.operation, to = null, except = null } = options
    step.signals.push({ tool: this.tool, signal: this.name, payload: copy, operation, to, except })
  }
}

/** An operation alive. */
export interface LiveOperation {
  declaration: OperationDeclared
  /** Arguments that fit come back as the body that is ready to run, others as a sentence on what is wrong. */
  prepare: (args: JsonObject) => string | ((call: OperationCall) => string)
  harm: (violation: Violation) => string
}

/** One Enhanced Tool, complete when setup has returned. */
export class LiveArtifact implements Artifact {
  readonly properties = new Map<string, LiveProperty<Scalar>>()
  /** Properties that exist once per entity, by their declared names. */
  readonly instances = new Map<string, LiveInstances<Scalar>>()
  readonly signals = new Map<string, LiveSignal<Json>>()
  readonly operations = new Map<string, LiveOperation>()

  constructor(
    readonly name: string,
    readonly summary: string,
    private readonly made: { steps: Steps; at: number },
  ) {}

  property<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    initial: z.output<T>,
    meaning: string,
    options: { unit?: string; range?: string; personal?: boolean } = {},
  ): Property<z.output<T>> {
    const declaration = { name, type, meaning, ...options }
    const property = new LiveProperty<z.output<T>>({ tool: this.name, declaration, initial, ...this.made })
    return this.#declare('property', name, this.properties, property)
  }

  propertyPer<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    meaning: string,
    options: { unit?: string; range?: string } = {},
  ): Instances<z.output<T>> {
    const declaration = { name, type, meaning, ...options }
    const instances = new LiveInstances<z.output<T>>({ tool: this.name, declaration, steps: this.made.steps })
    return this.#declare('property', name, this.instances, instances)
  }

  signal<P extends z.ZodType<Json>>(
    name: string,
    payload: P,
    trigger: string,
    options: { when?: Condition[] } = {},
  ): Signal<z.output<P>> {
    const declaration = { name, payload, trigger, when: options.when ?? [] }
    const signal = new LiveSignal<z.output<P>>(this.name, declaration, this.made.steps)
    return this.#declare('signal', name, this.signals, signal)
  }

  operation<A extends z.ZodType>(
    name: string,
    declaration: OperationDeclaration<A>,
    body: (args: z.output<A>, call: OperationCall) => string,
  ): Operation {
    const schema: z.ZodType = declaration.args ?? NO_ARGUMENTS
    if (!(schema instanceof z.ZodObject))
      throw new WorldError(`The arguments of \`${name}\` of \`${this.name}\` are no z.strictObject.`)
    const known = Object.keys(schema.shape)
    this.#declare('operation', name, this.operations, {
      declaration: declared(name, declaration, schema),
      prepare: (args) => {
        const unknown = Object.keys(args).find((each) => !known.includes(each))
        const expected = known.length === 0 ? 'It takes none.' : `Known: ${known.join(', ')}.`
        if (unknown !== undefined) return `There is no argument ${quoted(unknown)}. ${expected}`
        const parsed = schema.safeParse(args, { jitless: true })
        if (!parsed.success) return complaint(parsed.error, args)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schema of A, which is the empty object where none was declared
        const fitting = parsed.data as z.output<A>
        return (call) => body(fitting, call)
      },
      harm: (violation) => declaration.harm?.(violation) ?? violation.summary,
    })
    return { tool: this.name, name }
  }

  #declare<V, T extends V>(kind: string, name: string, known: Map<string, V>, value: T): T {
    if (known.has(name)) throw new WorldError(`\`${this.name}\` has two of the ${kind} \`${name}\`.`)
    this.made.steps.setupOnly(`The ${kind} \`${name}\``)
    known.set(name, value)
    return value
  }
}

function declared<A extends z.ZodType>(
  name: string,
  declaration: OperationDeclaration<A>,
  args: z.ZodObject,
): OperationDeclared {
  const { summary, behaviour, placeholders = {}, requires = [], effects = [], completes = [] } = declaration
  const rules = requires.map((rule): Requirement =>
    'condition' in rule ? rule : { condition: rule, otherwise: 'refuse' },
  )
  const ends = completes.map(({ signal, ...end }) => ({ tool: signal.tool, signal: signal.name, effects: end.effects }))
  return { name, summary, behaviour, args, placeholders, requires: rules, effects, completes: ends }
}
