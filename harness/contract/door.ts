import type { Condition } from './environment.js'
import type { Json, JsonObject, JsonSchema, Scalar } from './json.js'

/**
 * The surfaces, and what a script needs to wait on each. Each adds itself from its own file in `harness/door/surfaces`,
 * where all is told that there is to tell of it.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled from those files
export interface Surfaces {}

/** The verbs that the door gives an agent: its paradigm (docs/design.md#surfaces). */
export type Surface = keyof Surfaces
export type DoorOf<S extends Surface> = Surfaces[S]['door']

/** What a callable tool is for; the harness counts by it and agents need not guess from names. */
export type ToolKind = 'operation' | 'catalogue' | 'document' | 'poll' | 'sleep' | 'wait' | 'focus' | 'unfocus'

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
 * `invalid`: unknown tool, arguments that do not validate; nothing reached the world's rules. `failed`: a read that
 * brought nothing, by no fault of its caller.
 */
export interface CallResult {
  kind: ToolKind | 'unknown'
  outcome: 'accepted' | 'refused' | 'harmed' | 'invalid' | 'read' | 'failed' | 'slept' | 'waited' | 'focused'
  text: string
  /** The same as data: acknowledgement, catalogue, document or readings. */
  data: Json
  operationId: string | null
  at: number
}

/** One document as the catalogue lists it. `covers` is absent where the world keeps it to the document's own text. */
export interface DocumentEntry {
  id: string
  summary: string
  covers?: string[] | undefined
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
  /** Why the last read brought nothing: the values are those of an earlier one. Absent where it brought them. */
  notRead?: string
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
  /** How an operation is answered on this surface, in the words of a prompt. */
  readonly answers: string
  /** Calls a tool by name. Never rejects for a bad call: that is a result. */
  call(name: string, args: JsonObject): Promise<CallResult>
  /** The documents that there are, for a runtime that must know whether what it has read still holds. No model sees it. */
  documents(): Promise<DocumentStamp[]>
}

/** What a suspended activity waits for. Any of `signals`, or `when`, or the time-out ends it. */
export interface WaitCondition {
  signals: string[]
  when: Condition | null
  timeoutMs: number | null
}
