import type { JsonSchema, Message, ToolSpec, Usage } from '../define/index.js'

/** One question as the endpoint gets it: no phase, no activity, no clock. */
export interface ChatRequest {
  messages: Message[]
  tools?: readonly ToolSpec[]
  schema?: { name: string; schema: JsonSchema }
  seed: number
}

/** A well-formed completion. What is wrong inside it (`length`, a refusal, broken arguments) is the model's. */
export interface Completion {
  text: string | null
  toolCalls: { id: string; name: string; arguments: string }[]
  /** `stop`, `tool_calls`, `length`, `content_filter` or `refusal`. */
  finish: string
  usage: Usage
  /** Tries that brought no well-formed completion before this one. */
  retries: number
  /** Of the try that succeeded. */
  realMs: number
  /** Rules that the simulated reader could not read. */
  unparsed: string[]
  /** Of an answer that comes from a trace: what it took and cost then outweighs the thinking policy and the prices of today. */
  recorded?: { thoughtMs: number; costUsd: number | null }
}

/** A model behind an OpenAI-compatible endpoint, real or simulated. */
export interface ChatModel {
  readonly name: string
  /** Throws `InfrastructureError` when no well-formed completion could be had. */
  complete(request: ChatRequest): Promise<Completion>
}
