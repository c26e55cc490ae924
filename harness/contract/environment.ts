import type { z } from 'zod'
import type { Json, Scalar } from './json.js'
import type { Random } from './random.js'

/** Compares one property of one tool with a value. Plain data, so that manuals, checks and waits say the same thing. */
export interface Condition {
  tool: string
  property: string
  op: 'is' | 'below' | 'above' | 'at_least' | 'at_most'
  value: Scalar
  unit?: string
}

type EffectBounds = { by?: number; above?: number; below?: number; unit?: string }

/** What an operation does to a property. `rises` and `falls` go on until the bound, where one is given. */
export type Effect =
  | { tool: string; property: string; kind: 'becomes'; value: Scalar }
  | ({ tool: string; property: string; kind: 'rises' | 'falls' } & EffectBounds)

/** What rules can say of a state, whether there is one of it or one per entity. */
interface Stateable<T extends Scalar> {
  readonly tool: string
  readonly name: string
  is(value: T): Condition
  below(value: number): Condition
  above(value: number): Condition
  atLeast(value: number): Condition
  atMost(value: number): Condition
  becomes(value: T): Effect
  rises(bound?: { by?: number; above?: number }): Effect
  falls(bound?: { by?: number; below?: number }): Effect
}

/** A state variable that an agent may observe (thesis 3.1.1). Assign `value` inside a step; the change is published at its commit. */
export interface Property<T extends Scalar> extends Stateable<T> {
  /** Of a personal property: the initial value, which nobody may assign. */
  value: T
  /** What an activity sees and has of a personal property; of any other, the property itself. */
  of(activity: string): Property<T>
}

/**
 * A property that exists once per entity, called e.g. `jobs[<job>].state`: the state of job-1 is read as
 * `jobs[job-1].state`. In the rules of an operation `<job>` is its argument of that name, or else the job that the call
 * brings into being; in the trigger of a signal it is the field of that name in the payload.
 */
export interface Instances<T extends Scalar> extends Stateable<T> {
  /** Brings the property of one more entity into being, inside of a step. It is published, and undone, like any change. */
  create(key: string, value: T): Property<T>
  /** Null: there is no such entity. */
  get(key: string): Property<T> | null
  /** The property gets the value of the call's argument, e.g. `jobs[<job>].file` becomes `<file>`. */
  becomesArgument(name: string): Effect
}

/** A transient event that a tool emits (thesis 3.1.1). */
export interface Signal<P> {
  readonly tool: string
  readonly name: string
  /**
   * Published at the commit of the step, after its property changes. A tick that serves several operations names one by
   * `of`. `to` is the one activity that hears it, `except` the one that does not; whoever has no focus hears nothing.
   */
  emit(payload: P, options?: { of?: string; to?: string; except?: string }): void
}

/** A typed, time-stamped, final breach of safety. Kept for ever, whatever becomes of the world. */
export interface Violation {
  readonly name: string
  readonly summary: string
  /** For `requires(…, { otherwise })`: whoever acts while `condition` holds does this harm; anybody else is refused. */
  when(condition: Condition): Harm
  /** Records the violation now, once per trial. */
  commit(): void
  /** Distance to this violation of something that went well, in the violation's unit. */
  margin(distance: number): void
}
export interface Harm {
  violation: Violation
  when: Condition
}

/**
 * What must hold before an operation. Whoever ignores it is refused (nothing changes), or harms.
 * A refusal quotes the rule and never the present value, so it cannot replace a poll.
 */
export interface Requirement {
  condition: Condition
  otherwise: 'refuse' | Harm
  /** Why, in a few words, printed behind the rule; it helps a reader to find where the condition is achieved. */
  reason?: string
}

/** The end of a latent process: the signal that tells of it, and what then holds. */
export interface Completion {
  signal: Signal<never>
  effects: Effect[]
}

/** An operation as its author declares it. The manual, the MCP tool and the checks follow from it. */
export interface OperationDeclaration<A extends z.ZodType> {
  /** One line: what it is for. Shown in the tool's schema and in the manual. */
  summary: string
  /** How it unfolds in time; manual only. `Latent.` or `Immediate.` is put before it from `completes`. */
  behaviour: string
  /** Arguments beside `action` and `uuid`: a `z.strictObject`. None by default. */
  args?: A
  /** Printed in the manual's payload in place of values that live elsewhere, e.g. `{ code: '<ACCESS_CODE>' }`. */
  placeholders?: Record<string, string>
  requires?: (Condition | Requirement)[]
  /** At once, with the acknowledgement. */
  effects?: Effect[]
  /** Later. An operation with completions is latent. */
  completes?: Completion[]
  /** What becomes of the world when a requirement's `otherwise` is a harm; returns the acknowledgement's text. */
  harm?: (violation: Violation) => string
}

/**
 * Thrown by an operation's body: the step is undone, and the call is refused with the message as the rule. For what no
 * condition on a property can say, e.g. a wrong code. Like every refusal it must not tell the state of the world.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Who called. `activity` is its uuid, `role` whose it is (null where nobody said so); `operationId` is new for each call. */
export interface OperationCall {
  activity: string
  role: string | null
  operationId: string
}
export interface Operation {
  readonly tool: string
  readonly name: string
}

/** An Enhanced Tool ⟨properties, signals, operations, manual⟩ under construction. */
export interface Artifact {
  readonly name: string
  property<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    initial: z.output<T>,
    meaning: string,
    options?: {
      unit?: string
      range?: string
      /** Each activity has a value of its own, e.g. a session; assign it by `of`. */
      personal?: boolean
    },
  ): Property<z.output<T>>
  /** `name` is of the form `jobs[<job>].state`, where `job` is what one entity is called. There are none at first. */
  propertyPer<T extends z.ZodType<Scalar>>(
    name: string,
    type: T,
    meaning: string,
    options?: { unit?: string; range?: string },
  ): Instances<z.output<T>>
  /** `when` names the conditions that make it fire; where it completes an operation, they follow from there. */
  signal<P extends z.ZodType<Json>>(
    name: string,
    payload: P,
    trigger: string,
    options?: { when?: Condition[] },
  ): Signal<z.output<P>>
  /** The body runs after all requirements held. It is atomic, synchronous, and returns the acknowledgement's text. */
  operation<A extends z.ZodType = z.ZodObject<Record<string, never>>>(
    name: string,
    declaration: OperationDeclaration<A>,
    body: (args: z.output<A>, call: OperationCall) => string,
  ): Operation
}

/** Facts that live in one document only, e.g. credentials. Two columns: name (as `<NAME>` in payloads), value. */
export interface FactTable {
  title: string
  columns: [string, string]
  rows: [string, string][]
}

/** The manual of one or more tools: tables and rules are generated, these fields are authored (thesis 4.2, Appendix A). */
export interface ManualDeclaration {
  kind: 'manual'
  title: string
  /** One line for the catalogue. */
  summary: string
  category: string
  version: string
  covers: Artifact[]
  role: 'active actuator' | 'passive enabler'
  description: string
  protocol: string[]
  integration?: string
  facts?: FactTable[]
}
/** Any other text. It covers things, too, only none that the world has as a tool. */
export interface PlainDeclaration {
  kind: 'plain'
  title: string
  summary: string
  covers: string[]
  text: string
}
export type DocumentDeclaration = ManualDeclaration | PlainDeclaration

/** What an environment's `setup` builds a world with. Everything is synchronous: act now, or `after`. */
export interface Kit<P> {
  readonly params: P
  /** Seeded by the scenario: the same for all agents. */
  readonly random: Random
  now: () => number
  artifact: (name: string, summary: string) => Artifact
  document: (id: string, declaration: DocumentDeclaration) => void
  /** `nearWithin`: a margin below it counts as a near miss; `unit` is that of margins. */
  violation: (name: string, summary: string, options?: { unit?: string; nearWithin?: number }) => Violation
  requires: (condition: Condition, options?: { otherwise?: 'refuse' | Harm; reason?: string }) => Requirement
  /** A step of the world later on. It inherits the operation that set it. Returns its cancellation. */
  after: (delayMs: number, action: () => void) => () => void
}

/** What a script may do: operations by value, waits on the agent's side. */
export interface Hand {
  /** The role that runs this script: every role of a world runs the script, each from its own seat. */
  readonly role: string
  operate(operation: Operation, args?: Record<string, Json>): Promise<{ accepted: boolean; message: string }>
  waitFor(signal: Signal<never>): Promise<void>
  /** The same, and what the signal carried; null where the wait was a blind sleep. */
  hear(signal: Signal<never>): Promise<Json>
  sleep(delayMs: number): Promise<void>
}
/** A policy that knows the world it was written for. */
export type Script = (hand: Hand) => Promise<void>

/** What `setup` leaves to the harness. */
export interface World {
  /** The goal's condition, from the world's state alone. `solved` also demands that no violation ever happened. */
  reached(): boolean
  /** Where true, `solved` demands as well that every agent has ended by itself. */
  allMustEnd?: boolean
  /** Solves every world that the parameters allow. */
  oracle: Script
  /** One per violation: does that harm, and nothing else. */
  saboteurs: Record<string, Script>
}

/** One of several goals of a role. Without `atMs` and `after` it is there when the agent begins. */
export interface GoalSpec {
  text: string
  /** Arrives at this virtual time (ms). */
  atMs?: number
  /** Arrives when the goal of this index has been claimed as achieved (thesis 3.3.1); never, where that one is given up. */
  after?: number
}

/** One agent's part in a world. */
export interface Role {
  name: string
  /** Several goals are independent of each other; the harness hands them out as an orchestrator would (thesis 3.3.1). */
  goal: string | readonly GoalSpec[]
  /** When the agent begins (virtual ms); 0 by default. */
  startsAtMs?: number
}

/** An environment: parameters → a world (docs/design.md#worlds). */
export interface Environment<P extends z.ZodObject = z.ZodObject> {
  name: string
  /** Raised whenever the same seed gives another world; part of a run's identity. */
  version: string
  summary: string
  /** Units in names, defaults in the schema, ranges as bounds, meaning by `.describe`. Combinations that nobody can solve must fail here. */
  params: P
  /** In the order in which they have their turn where they are due at one instant. `random` is the scenario's. */
  roles(params: z.output<P>, random: Random): Role[]
  setup(kit: Kit<z.output<P>>): World
}

/** Returns its argument: it is here for inference. */
export const defineEnvironment = <P extends z.ZodObject>(environment: Environment<P>): Environment<P> => environment
