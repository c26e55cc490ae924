import type { Bell } from './clock.js'
import type { Condition } from './environment.js'
import type { Json, JsonObject, JsonSchema, Scalar } from './json.js'

/**
 * The verbs that the door gives an agent: its paradigm (docs/design.md#surfaces).
 * `act`: operations and documents. `block`: the same, but an operation returns when what it began has ended.
 * `poll`: also `read_properties` and `sleep`. `await`: also `wait_for`. `async`: `read_properties`, and completions
 * between turns. `push`: focus, syncs and signals.
 */
export type Surface = 'act' | 'block' | 'poll' | 'await' | 'async' | 'push'

/** What a callable tool is for; the harness counts by it and agents need not guess from names. */
export type ToolKind = 'operation' | 'catalogue' | 'document' | 'poll' | 'sleep' | 'wait'

/** A tool as a model sees it: the activity's uuid is hidden, the door puts it in. */
export interface ToolSpec {
  kind: ToolKind
  name: string
  /** For operations: the tool's summary, then one line per action. */
  description: string
  parameters: JsonSchema
  /** The values that `action` takes, with their one-line summaries; empty unless `kind` is `operation`. */
  actions: { name: string; summary: string }[]
}

/**
 * What a call brought back. `text` is what a model is shown, the same on every surface (formats: docs/wire.md).
 * `invalid`: unknown tool, arguments that do not validate; nothing reached the world's rules.
 */
export interface CallResult {
  kind: ToolKind | 'unknown'
  outcome: 'accepted' | 'refused' | 'harmed' | 'invalid' | 'read' | 'slept' | 'waited'
  text: string
  /** The same as data: acknowledgement, catalogue, document or readings. */
  data: Json
  operationId: string | null
  at: number
}

/** One document as the catalogue lists it. */
export interface DocumentEntry {
  id: string
  summary: string
  covers: string[]
}

/** A document as the world lists it to programs: `hash` changes with its content. */
export interface DocumentStamp {
  id: string
  summary: string
  hash: string
}

/** The last known values of one tool's properties, each with the time (ms) of its last change, and when they were read. */
export interface Reading {
  tool: string
  properties: Record<string, { value: Scalar; at: number }>
  readAt: number
}

/** A signal as an activity's log holds it. `seq` is monotonic within the world. */
export interface SignalEntry {
  seq: number
  at: number
  signal: string
  tool: string
  payload: Json
  operationId: string | null
}

/** The only way from an agent to its world: one door per activity, an MCP client inside (docs/design.md#worlds). */
export interface Door {
  /** The activity's uuid. */
  readonly uuid: string
  tools(): readonly ToolSpec[]
  /** Calls a tool by name. Never rejects for a bad call: that is a result. */
  call(name: string, args: JsonObject): Promise<CallResult>
  /** The documents that there are, for a runtime that must know whether what it has read still holds. No model sees it. */
  documents(): Promise<DocumentStamp[]>
}

/** A door whose operations return late: when a signal has told the end of the latent process that they began. */
export interface BlockDoor extends Door {
  /** How long an operation is waited for (ms); 20 minutes unless told otherwise. */
  waitAtMost(timeoutMs: number): void
}

/** A door that gathers the ends of what its operations began, for an agent to take in between its turns. */
export interface AsyncDoor extends Door {
  /** Signals that end operations of this door and were not taken yet; they are consumed. Those of others are not told. */
  completions(): Promise<SignalEntry[]>
}

/** A door through which the world can ring. Doorbells only mark things dirty; values come by reading. */
export interface PushDoor extends Door {
  /** Rings with the doorbells of the activity's log of signals, and with no others. */
  readonly news: Bell
  /** Subscribes the activity to a tool's properties and signals. Its values are dirty from then on. */
  focus(tool: string): Promise<void>
  unfocus(tool: string): Promise<void>
  focused(): readonly string[]
  /** Reads what is dirty (counted as `syncs`), and returns the last known readings of all focused tools. */
  sync(): Promise<Reading[]>
  /** Signals that have arrived and are not drained: a look at the log from the cursor on, which does not move. */
  pending(): Promise<SignalEntry[]>
  /** The same, and moves the cursor past them: consumed. */
  drain(): Promise<SignalEntry[]>
  /** Reads the log whatever the doorbells said: the way to survive a lost one (counted as `resyncs`). */
  resync(): Promise<void>
}

/** What a suspended activity waits for. Any of `signals`, or `when`, or the time-out ends it. */
export interface WaitCondition {
  signals: string[]
  when: Condition | null
  timeoutMs: number | null
}

export type DoorOf<S extends Surface> = S extends 'push'
  ? PushDoor
  : S extends 'block'
    ? BlockDoor
    : S extends 'async'
      ? AsyncDoor
      : Door
