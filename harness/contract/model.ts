import type { Bell } from './clock.js'
import type { ToolSpec } from './door.js'
import type { JsonObject, JsonSchema } from './json.js'

/** A chat message, in the shape of Chat Completions. */
export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCallMessage[]; carried?: JsonObject }
  | { role: 'tool'; tool_call_id: string; content: string }
export interface ToolCallMessage {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** One question to the model. With `schema` it answers in JSON of that schema, with `tools` it may call them (at most one at a time). */
export interface ModelRequest {
  /** Free name for the statistics, e.g. `reasoning`. */
  phase: string
  /** The activity's uuid. */
  activity: string
  messages: Message[]
  tools?: readonly ToolSpec[]
  schema?: { name: string; schema: JsonSchema }
  /** A ring during the thought ends it: `interrupted`. */
  interrupt?: Bell
}

/** Tokens as the endpoint reported them; `counted` marks those that our tokenizer had to count. */
export interface Usage {
  promptTokens: number
  completionTokens: number
  /** Part of the prompt, from the endpoint's cache. */
  cachedTokens: number
  /** Part of the prompt, put into that cache; absent where the endpoint does not tell. */
  cacheWriteTokens?: number
  /** Part of the completion, spent on thoughts; absent where the endpoint does not tell. */
  reasoningTokens?: number
  counted: boolean
}

/** What the model said. `arguments` is text as it came: it may be malformed, and that is the agent's to handle. */
export type ModelAnswer =
  | {
      status: 'answered'
      text: string | null
      toolCalls: { id: string; name: string; arguments: string }[]
      /** `stop`, `tool_calls`, `length`, `content_filter`, `refusal`. */
      finish: string
      usage: Usage
      /** What the endpoint wants back with this answer in later requests, such as the reasoning behind it; `said` sends it along. */
      carried?: JsonObject
    }
  | { status: 'interrupted'; usage: Usage }

/**
 * The agent's only way to the model. `ask` charges thinking time: it returns at t + Δ (docs/design.md#time).
 * Throws `InfrastructureError` when no well-formed completion could be had; never settles once a budget is spent.
 */
export interface ModelAccess {
  readonly name: string
  ask(request: ModelRequest): Promise<ModelAnswer>
}
