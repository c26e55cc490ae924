import type { z } from 'zod'
import type { DoorOf, Happening, JsonObject, Signal, Surface, Surfaces, ToolSpec } from '../contract/index.js'
import type { DoorParts } from './door.js'

/** What the session knows of a door that can be rung. */
export interface Hearing {
  /** A doorbell: of a tool's properties, or of the log (null). True where it is to wake the agent itself. */
  ring(tool: string | null): boolean
  /** Follows these tools and the log, from now on. */
  listen(tools: readonly string[]): Promise<void>
}

/** All that there is to tell of a surface. Verbs, doors, prompts, `describe`, docs and ceilings follow from it. */
export interface SurfaceRecord<S extends Surface> {
  /** In one line, for `describe`. */
  summary: string
  /** How an operation is answered, in the words of a prompt. */
  answers: string
  /** Its cells in the table of docs/agents.md; null: it cannot. */
  row: { returns: string; reads: string | null; sleeps: string | null; waits: string | null; pushed: string | null }
  /** Is `read_properties` offered? */
  reads: boolean
  /** What the door itself carries out, beside the tools of the world. */
  verbs: readonly ToolSpec[]
  /** What a trace of it cannot hold, since it has no verb for that. */
  never: readonly Happening['kind'][]
  open(parts: DoorParts): DoorOf<S> & Partial<Hearing>
  ceiling: Ceiling<S>
}

/** The best scripted policy with the verbs of a surface. */
interface Ceiling<S extends Surface> {
  summary: string
  /** How it waits, as docs/agents.md tells it. */
  waits: string
  /** The parameters of its waits, beside the length of its thoughts. */
  params: z.ZodObject & z.ZodType<Surfaces[S]['wait']>
  /** Does it learn what a signal says, or only that it came? */
  learns: boolean
  /** One attempt to learn whether a signal has come; false where there is nothing left to try. Null: it is rung. */
  attempt: ((hand: Attempt, wait: Surfaces[S]['wait']) => Promise<boolean>) | null
}

/** What a script can do to learn of a signal. */
export interface Attempt {
  signal: Signal<never>
  /** How many attempts there were before. */
  ordinal: number
  /** How often it has stalled since an operation began what the signal ends. */
  stalls: number
  call: (name: string, args: JsonObject) => Promise<unknown>
  /** A harmless call, by which nothing but time passes. */
  stall: () => Promise<void>
  /** Reads the state of the signal's tool. */
  look: () => Promise<void>
}

/** Returns its argument: it is here for inference. */
export const defineSurface = <S extends Surface>(record: SurfaceRecord<S>): SurfaceRecord<S> => record
