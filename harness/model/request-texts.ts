import type { Message } from '../define/index.js'
import type { ChatRequest } from './chat.js'
import { toolsText } from './wire.js'

/** A request as a trace pools it. Equal texts are the same question, whoever asks. */
export interface RequestTexts {
  messages: { role: string; text: string }[]
  /** JSON; null without tools. */
  tools: string | null
  schema: string | null
}

export function textsOf({ messages, tools, schema }: Omit<ChatRequest, 'seed'>): RequestTexts {
  return {
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    tools: tools === undefined || tools.length === 0 ? null : toolsText(tools),
    schema: schema === undefined ? null : JSON.stringify(schema),
  }
}

/** A message's words, and as JSON the calls that came with them. */
function textOf(message: Message): string {
  const calls = 'tool_calls' in message ? message.tool_calls : undefined
  if (calls === undefined || calls.length === 0) return message.content ?? ''
  return JSON.stringify({ content: message.content, tool_calls: calls })
}
