import type { AgentNote, Claim, NoteStyles } from './agent.js'
import type { CallResult, ToolKind, WaitCondition } from './door.js'
import type { Json, JsonObject, Scalar } from './json.js'
import type { Usage } from './model.js'
import type { Outcome, TrialIdentity } from './trial.js'

/** Raised when a record changes its shape. A reader of version n refuses n + 1, and upgrades what is older (trace/upgrades). */
export const TRACE_VERSION = 2

/**
 * What a slip would do: `commit` an operation or a claim, `omit` a wait and nothing else, or take another way (`detour`).
 */
export type SlipKind = 'commit' | 'omit' | 'detour'

/**
 * One answer of the simulated reader in which a trait made a difference (docs/simulated-model.md#exposures). `subject`
 * says what was decided, in prose, `d` at which of the calls alike, `k` how often before. It erred with the probability
 * `q`, of which `v` is what the state in the prompt did.
 */
export interface Exposure {
  trait: string
  subject: string
  d: number
  k: number
  kind: SlipKind
  q: number
  v: number
  erred: boolean
}

/**
 * What happened, without when and to whom. `op` is an operation id, `seq` the world's counter of changes and signals,
 * `call` counts the model calls of a trial from 1, hashes are SHA-256 (16 hex digits) of pooled texts.
 */
export type Happening =
  /** First of all: everything that decides the trial. */
  | {
      kind: 'trial'
      version: number
      identity: TrialIdentity
      roles: { name: string; goal: string; agent: string; notes: NoteStyles }[]
    }
  /** One of several goals of the role has arrived. */
  | { kind: 'goal'; goal: number; text: string }
  /** The activity pursues these goals of its role; only where there are several. */
  | { kind: 'pursue'; goals: number[] }
  /** A text of a prompt, once per trial, before the first record that names its hash. */
  | { kind: 'text'; hash: string; text: string }
  /** `tools` and `schema` are pooled too, as JSON. */
  | {
      kind: 'request'
      call: number
      phase: string
      model: string
      messages: { role: string; hash: string }[]
      tools: string | null
      schema: string | null
    }
  /** At t + Δ. `thoughtMs` is Δ, or what had passed at an interruption; `retries` were not charged. `unparsed`: rules the simulated reader could not read; `exposures`: its own, with pooled subjects. */
  | {
      kind: 'answer'
      call: number
      status: 'answered' | 'interrupted'
      text: string | null
      toolCalls: { id: string; name: string; arguments: string }[]
      finish: string
      usage: Usage
      thoughtMs: number
      retries: number
      costUsd: number | null
      unparsed: string[]
      exposures?: Exposure[]
      /** What it thought, where the endpoint shows it, and what goes back with the answer. */
      reasoning?: string
      carried?: JsonObject
    }
  /** Vectors of texts (pooled), as base64 of little-endian floats. It took no virtual time. */
  | {
      kind: 'embedding'
      model: string
      texts: string[]
      vectors: string[]
      usage: Usage
      retries: number
      costUsd: number | null
    }
  /** A script has thought for so long, without a model. */
  | { kind: 'thought'; thoughtMs: number }
  | { kind: 'operation'; op: string; tool: string; action: string; args: JsonObject }
  | { kind: 'acknowledgement'; op: string; outcome: CallResult['outcome']; message: string; rule: string | null }
  /** A call that reached no rule of the world: unknown tool or action, bad arguments. */
  | { kind: 'invalid'; tool: string; args: JsonObject; message: string }
  | { kind: 'read'; what: Extract<ToolKind, 'catalogue' | 'document'>; document: string | null; found: boolean }
  /** State read by the model's choice. Values per `tool.property`. */
  | { kind: 'poll'; values: Record<string, Scalar> }
  | { kind: 'sync'; tool: string; values: Record<string, Scalar> }
  /** The log read on a timer or after a time-out, without a doorbell. */
  | { kind: 'resync' }
  /** The log and all focused tools read by the runtime before it asks or acts, without a doorbell: `reads` in all. */
  | { kind: 'recheck'; reads: number; values: Record<string, Scalar> }
  | { kind: 'sleep'; delayMs: number }
  /** `op` of the operation whose step, or whose timer, did it. */
  /** `from` is null where the property came into being, as instances do. */
  | { kind: 'change'; seq: number; tool: string; property: string; from: Scalar | null; to: Scalar; op: string | null }
  | { kind: 'signal'; seq: number; tool: string; signal: string; payload: Json; op: string | null }
  /** The doorbell of a log has been handled at the agent's side, for signals up to `seq`. */
  | { kind: 'delivered'; seq: number }
  | { kind: 'consumed'; seqs: number[] }
  /**
   * Faults of delivery, when the doorbell leaves: `tool` is null for that of the log, `delayMs` how long it is under way.
   * `telemetry` and `storm` tell of `count` doorbells without news.
   */
  | {
      kind: 'doorbell'
      what: 'dropped' | 'delayed' | 'duplicated' | 'reordered' | 'telemetry' | 'storm'
      tool: string | null
      delayMs: number
      count: number
    }
  /** A fault of a read of `tools` (none: all), when it begins; `ms`: how long it takes, or how old the state is that it brings. */
  | {
      kind: 'read_fault'
      what: 'failed' | 'timed_out' | 'slow' | 'stale'
      by: 'poll' | 'sync'
      tools: string[]
      ms: number
    }
  /** `only`: the signals and properties to which it is narrowed, on the server. */
  | { kind: 'focus'; tool: string; only?: string[] }
  | { kind: 'unfocus'; tool: string }
  | { kind: 'violation'; violation: string; op: string | null }
  | { kind: 'margin'; violation: string; distance: number; unit: string; near: boolean }
  | { kind: 'claim'; claim: Claim; text: string }
  /** What the role was given of earlier trials, as pooled JSON; only where its memory outlasts the trial. */
  | { kind: 'remembered'; hash: string }
  /** What it leaves to later ones. */
  | { kind: 'kept'; hash: string }
  /** Of a program that plays an agent's part: what it said beside its claims, or what became of it. */
  | { kind: 'program'; what: 'started' | 'note' | 'stderr' | 'exited' | 'stopped'; text: string }
  /** What a program says that it has used. Nobody has measured it. */
  | { kind: 'reported'; calls: number; promptTokens: number; completionTokens: number }
  /** A limit of the trial was reached. */
  | { kind: 'limit'; limit: string; value: number }
  | { kind: 'error'; where: string; message: string; stack: string | null; infrastructure: boolean }
  /** The last agent ended, or the trial was ended. */
  | { kind: 'end'; how: 'ended' | 'deadlocked' | 'out_of_time' | 'out_of_budget' | 'out_of_context' | 'failed' }
  /** What the world then became by itself. */
  | { kind: 'settled'; reached: boolean; violations: string[] }
  /** Last of all. `reached`: the goal's condition at the end; `solved`: reached and never a violation. */
  | { kind: 'verdict'; outcome: Outcome; reached: boolean; solved: boolean; violations: string[] }
  | Exclude<AgentNote, { kind: 'suspend' }>
  /** `verb`: the call that waits; absent where the runtime does. */
  | ({ kind: 'suspend'; verb?: 'wait_for' | 'wait' } & WaitCondition)

/** A line of a trace: `n` counts from 0 without gaps, `at` is virtual ms and never falls. */
export type TraceRecord = Happening & {
  n: number
  at: number
  /** Null for what the world or the harness did. */
  role: string | null
  activity: string | null
}
export type RecordOf<K extends Happening['kind']> = Extract<TraceRecord, { kind: K }>
export type Trace = readonly TraceRecord[]

/** Writes to the trace; `at` and `n` are put in by the trial. */
export type Recorder = (happening: Happening, who?: { role?: string; activity?: string }) => void
