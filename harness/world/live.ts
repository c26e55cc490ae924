import type { z } from 'zod'
import type {
  Condition,
  DocumentEntry,
  Effect,
  Hand,
  JsonObject,
  Reading,
  Requirement,
  Scalar,
  SignalEntry,
} from '../contract/index.js'

/** A bug of an environment's author: the sentence names the thing. It ends a trial with its stack, never as news for an agent. */
export class WorldError extends Error {
  override name = 'WorldError'
}

/** An artifact's declaration, complete, as servers and manuals need it. */
export interface ToolDeclaration {
  name: string
  summary: string
  properties: PropertyDeclaration[]
  signals: SignalDeclaration[]
  operations: OperationDeclared[]
}
export interface PropertyDeclaration {
  name: string
  type: z.ZodType
  meaning: string
  unit?: string
  range?: string
  personal?: boolean
}
export interface SignalDeclaration {
  name: string
  payload: z.ZodType
  trigger: string
  /** What holds when it fires: as declared, else what the completions that it ends have in common. */
  when: Condition[]
}
export interface OperationDeclared {
  name: string
  summary: string
  behaviour: string
  /** A strict object; empty where the operation takes none. */
  args: z.ZodObject
  placeholders: Record<string, string>
  requires: Requirement[]
  effects: Effect[]
  completes: { tool: string; signal: string; effects: Effect[] }[]
}

/** A document as the world serves it. */
export interface ServedDocument {
  id: string
  summary: string
  covers: string[]
  /** As the catalogue lists it. */
  listing: DocumentEntry
  /** Markdown. */
  text: string
  /** SHA-256 of the text, hex. */
  hash: string
}

/** The answer to an operation. `harmed` and `refused` are `accepted: false` on the wire, without `isError`. */
export interface Acknowledgement {
  outcome: 'accepted' | 'refused' | 'harmed' | 'invalid'
  operationId: string | null
  message: string
  /** The rule that was broken, as the manual prints it. */
  rule: string | null
  /** What the `<names>` in the operation's rules stand for at this call, as far as it tells; null: there are none. */
  about: Readonly<Record<string, Scalar>> | null
  /** Latent: the signals that will tell of its end. For the door; shown to no model. */
  expects: string[]
  at: number
}

/** A doorbell: something of that activity is worth reading. It carries no value. */
export interface Doorbell {
  activity: string
  /** The tool whose properties changed, or null for the signal log. */
  tool: string | null
}

/** A world that runs. All calls are synchronous and take effect now. */
export interface LiveWorld {
  readonly tools: readonly ToolDeclaration[]
  readonly documents: readonly ServedDocument[]
  /** Requirements → body → commit. Records operation, acknowledgement, changes, signals, violations. */
  execute(call: { tool: string; action: string; args: JsonObject; activity: string }): Acknowledgement
  /** As an activity sees it, or saw it `agoMs` before: personal properties are its own, or as they were at first. `only`: of these names. */
  read(tool: string, activity?: string, agoMs?: number, only?: readonly string[]): Reading
  /** False where `only` names what the tool does not have; a later focus takes the place of an earlier one. */
  focus(activity: string, tool: string, only?: readonly string[]): boolean
  unfocus(activity: string, tool: string): void
  /** What is in focus, in its order, as far as it is narrowed. */
  inFocus(activity: string, agoMs?: number): Reading[]
  /** The activity's log after `seq`: signals of focused tools since the first focus, in order. */
  signalsAfter(activity: string, seq: number): SignalEntry[]
  /**
   * Adds a listener: a server, of which each agent has one. Called at commits with all doorbells of the step: changes
   * first, at most one per activity and tool or log. The returned function removes it.
   */
  onDoorbells(listener: (bells: readonly Doorbell[]) => void): () => void
  reached(): boolean
  /** `solved` demands as well that every agent has ended by itself. */
  readonly allMustEnd: boolean
  violations(): readonly string[]
  readonly oracle: (hand: Hand) => Promise<void>
  readonly saboteurs: Readonly<Record<string, (hand: Hand) => Promise<void>>>
}
