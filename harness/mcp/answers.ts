import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { prompt, type JsonObject } from '../define/index.js'
import type { Acknowledgement } from '../world/live.js'

export function answer(text: string, data: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } }
}

export function invalid(tool: string, error: string, at: number): CallToolResult {
  const data: JsonObject = { tool, error, at }
  return { ...answer(prompt.fact(data), data), isError: true }
}

/** The text is what a model reads; `outcome` and `expects` are the door's alone. */
export function acknowledged(tool: string, action: string, { outcome, ...ack }: Acknowledgement): CallToolResult {
  if (outcome === 'invalid') return invalid(tool, ack.message, ack.at)
  const told: JsonObject = {
    tool,
    action,
    accepted: outcome === 'accepted',
    operationId: ack.operationId,
    at: ack.at,
    ...(ack.about === null ? {} : { about: ack.about }),
    message: ack.message,
    // Who has done harm is told what happened, not taught the rule.
    ...(ack.rule === null || outcome === 'harmed' ? {} : { rule: ack.rule }),
  }
  return answer(prompt.fact(told), { ...told, outcome, expects: ack.expects })
}
