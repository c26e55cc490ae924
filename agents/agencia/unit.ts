import type { JsonObject } from '../../harness/contract/index.js'
import type { Part } from './template.js'

/** What an agent of the registry brings back. `noResult` is the structured form of `%no-result%`: why there is none. */
export interface AgentResult {
  output: string
  /** A hard failure: tool handling ends at once. */
  error: string | null
  ran: boolean
  /** A soft failure: the conversation goes on. */
  noResult: string | null
  /** Is it a document, or the catalogue? Those stay true, whatever the world does. */
  lasting: boolean
}

/** What an agent says to what it was given, or to what its tool brought; the first whose `when` stands in it. */
export type Reply = { when: string | null } & (Said | { kind: 'fail'; message: string })
/** Words of its author; with the marker `%no-result%` a soft failure, and the words say what to do instead. */
export type Said =
  | { kind: 'text'; parts: readonly Part[] }
  | { kind: 'no_result'; reason: string; parts: readonly Part[] }

/** A unit of behaviour (the paper's “agent”): a tool of the world, words of its author, or both. */
export interface Unit {
  name: string
  summary: string
  /** Is it offered to the model from the start? Else others recruit it. */
  offered: boolean
  /** `args`: what the tool is always called with; null: with the agent's input. */
  tool: { name: string; args: JsonObject | null } | null
  replies: readonly Reply[]
}

export const NO_RESULT = '%no-result%'

const blank = { output: '', error: null, ran: true, noResult: null, lasting: false }
export const done = (output: string, lasting = false): AgentResult => ({ ...blank, output, lasting })
export const hard = (error: string, ran = true): AgentResult => ({ ...blank, error, ran })
export const soft = (noResult: string, ran = true): AgentResult => ({ ...blank, output: NO_RESULT, ran, noResult })
