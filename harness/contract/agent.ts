import { z } from 'zod'
import type { Bell } from './clock.js'
import type { DoorOf, Surface, Surfaces, WaitCondition } from './door.js'
import type { Json, JsonObject } from './json.js'
import type { ModelAccess } from './model.js'
import type { Random } from './random.js'

/**
 * What an agent may tell the trace of its inner life; everything else is recorded where it happens. `data` is for
 * programs, `line` for who reads the trial's story; null: it has no line there.
 */
export type AgentNote =
  | { kind: 'note'; name: string; data: JsonObject; line: string | null }
  | ({ kind: 'suspend' } & WaitCondition)
  | { kind: 'wake'; reason: 'signal' | 'condition' | 'timeout'; signals: string[] }
  | { kind: 'malformed'; what: string; detail: string; retry: boolean }

/** What the author of an agent declares about its notes of one name; it travels in the trace. */
export interface NoteStyle {
  /**
   * `phase`: the activity is at `data.label` from now on; model calls of one `data.cycle` are judged together.
   * `effect`: a call of the model has achieved something. `value`: what the cycle yields is `data.value`, unless a claim
   * or a suspension follows. `trouble`: something went wrong on the agent's side. Absent: none of these.
   */
  means?: 'phase' | 'effect' | 'value' | 'trouble'
  /** Of its line. */
  colour?: 'dim' | 'yellow' | 'red'
}

/** How the notes of an agent are shown and counted, by name. */
export type NoteStyles = Readonly<Record<string, NoteStyle>>

/**
 * How far what an agent keeps is carried. `run`: to the next scenario of the same case, agent, model and replica, in the
 * plan's order. `persistent`: through the folder at `path` to every later trial, other runs included.
 */
export type Lifetime = { kind: 'trial' } | { kind: 'run' } | { kind: 'persistent'; path: string }

/** What an agent says of its goal when it ends. */
export type Claim = 'achieved' | 'gave_up'

/** A goal that has arrived. `index` counts those of the role from 0. */
export interface Goal {
  readonly index: number
  readonly text: string
}

/** The goals of a role as they arrive. */
export interface Goals {
  /** Those that have arrived and were not taken yet, in the order of their arrival. Each that comes later rings the agent's `bell`. */
  take(): Goal[]
  /** Is there one to take, or may more arrive? False as well where one waits for another that was given up. */
  expected(): boolean
}

/** A question to the person who watches the trial. `choices`: what to choose from; empty: any words are an answer. */
export interface Question {
  readonly text: string
  readonly choices: readonly string[]
  /** How long the answer is waited for, in ms of the trial's clock. */
  readonly timeoutMs: number
}

/** What a trial gives to an agent. */
export interface Context<S extends Surface, P> {
  /** `goal`: all that are there from the beginning, as one text; numbered lines where there are several. */
  readonly role: { readonly name: string; readonly goal: string }
  readonly goals: Goals
  readonly params: P
  readonly model: ModelAccess
  /** The agent's own streams; the world's are others. */
  readonly random: Random
  now(): number
  /**
   * Opens a door for a new activity. All doors of an agent ring one `bell`. `goals` are those that it pursues: its claim
   * settles them.
   */
  open(name: string, goals?: readonly Goal[]): Promise<DoorOf<S>>
  readonly bell: Bell
  /** Releases the turn until `bell` rings. Reset it, look, then wait. */
  wait(timeoutMs: number | null): Promise<'rung' | 'timeout'>
  /** Lets time pass without a model, as controls do that only pretend to think. */
  pause(delayMs: number): Promise<void>
  /** Releases the turn until the person has answered; null: no answer came. Only an agent that says `asksPerson` may. */
  askPerson(question: Question): Promise<string | null>
  note(activity: string, note: AgentNote): void
  claim(activity: string, claim: Claim, text: string): void
  /** What this role of the agent kept in an earlier trial, as far as its `lifetime` reaches; null: nothing. */
  recall(): Json
  /**
   * A vector for each text, by the model that the agent's `embeddings` names. Takes no virtual time; tokens and cost
   * count. Throws `InfrastructureError` when none could be had.
   */
  embed(activity: string, texts: readonly string[]): Promise<(readonly number[])[]>
  /** Keeps a value for later trials, in place of all that was kept before; it goes nowhere where the lifetime is the trial's. */
  keep(value: Json): void
  /** For controls alone: runs the environment's oracle through a door of its own. */
  script(run: ScriptRun): Promise<void>
}

/** How a script is played. */
export interface ScriptRun {
  waitFor: ScriptWait
  /** Before each call it thinks as long as a model would over so many tokens, by the trial's policy, and each thought counts against the budget of calls; without it, for no time. */
  think?: ThoughtLength
}

/** How a script's waits are done: `signal`: suspended, and lost without its doorbell; `sleepMs`: blindly; else by the verbs of a surface. */
export type ScriptWait = 'signal' | { sleepMs: number } | SurfaceWait
export type SurfaceWait = { [S in Surface]: { surface: S } & Surfaces[S]['wait'] }[Surface]

/** The tokens that a scripted thought is charged for. */
export interface ThoughtLength {
  promptTokens: number
  completionTokens: number
}

/** An agent: an architecture (docs/design.md#words). It reaches the world only through its door, and the model only through `context.model`. */
export interface Agent<S extends Surface = Surface, P extends z.ZodObject = z.ZodObject> {
  name: string
  /** Raised whenever the same seed gives another behaviour. */
  version: string
  summary: string
  surface: S
  /** Does it ask a model? Controls do not, and are run once whatever models a suite names. */
  usesModel: boolean
  /** Does it think without a model (`ScriptRun.think`)? Then a suite's thinking policies tell its trials apart. */
  thinks?: boolean
  params: P
  /** How long what it keeps by `context.keep` lives; absent: as long as the trial. */
  lifetime?(params: z.output<P>): Lifetime
  /** The model whose embeddings it uses by `context.embed`; null or absent: none. */
  embeddings?(params: z.output<P>): string | null
  /** Does it ask the person who watches, by `context.askPerson`? Then it needs the wall clock and a terminal; absent: no. */
  asksPerson?(params: z.output<P>): boolean
  /** Names that are not declared are told by their line alone. */
  notes?: NoteStyles
  /** The fixed texts of its prompts by phase, for who wants to read them. */
  prompts?(params: z.output<P>): Record<string, string>
  run(context: Context<S, z.output<P>>): Promise<void>
  /** Where a process plays its part instead of `run` (external.ts). Such an agent needs the wall clock. */
  program?: Program
}

/** Returns its argument: it is here for inference. */
export const defineAgent = <S extends Surface, P extends z.ZodObject>(agent: Agent<S, P>): Agent<S, P> => agent

/** A program and its arguments, run without a shell in `folder`, the URL of a folder (null: where the harness was started). */
export interface Program {
  command: readonly [string, ...string[]]
  folder: string | null
}

/** An agent that is a process of its own, in any language (docs/agents-of-your-own.md). */
export interface ExternalAgent<S extends Surface, P extends z.ZodObject> extends Pick<
  Agent<S, P>,
  'name' | 'version' | 'summary' | 'surface'
> {
  /** The program and its arguments, e.g. `['python3', 'mine.py']`. */
  command: readonly [string, ...string[]]
  /** The `import.meta.url` of the file that declares it: the program runs in that file's folder. */
  from?: string
  /** Told to the program in its first line. None by default. */
  params?: P
}

/** Makes an agent of a program. It asks its own model, if any: what that costs is what the program reports. */
export function defineExternalAgent<S extends Surface, P extends z.ZodObject = z.ZodObject<Record<string, never>>>({
  command,
  from,
  params,
  ...declared
}: ExternalAgent<S, P>): Agent {
  return {
    ...declared,
    usesModel: false,
    params: params ?? z.strictObject({}),
    program: { command, folder: from === undefined ? null : new URL('.', from).href },
    run: () => Promise.reject(new Error(`${declared.name} is a program: the harness starts it.`)),
  }
}
