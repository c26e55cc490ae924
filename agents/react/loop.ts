import { z } from 'zod'
import type { Context, Message, ModelAnswer, Surface } from '../../harness/define/index.js'
import { SYSTEM } from './prompts.js'
import { readTurn } from './turn.js'

export const reactParams = z.strictObject({
  maxMalformed: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('Answers in a row that cannot be carried out and are corrected; one more ends the agent'),
})

/**
 * ReAct (Yao et al.): thought, one action, observation, until the model answers in text. What the agent can do is its
 * door's surface alone. An answer that cannot be carried out is corrected and counted; nothing older is ever repeated.
 */
export async function react(context: Context<Surface, z.output<typeof reactParams>>): Promise<void> {
  const door = await context.open('goal')
  const tools = door.tools()
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: context.role.goal },
  ]
  let strikes = 0
  let outcomeAsked = false

  for (;;) {
    const answer = await context.model.ask({ phase: 'turn', activity: door.uuid, messages: [...messages], tools })
    const turn = readTurn(answer, tools)
    if (turn.kind === 'end') return context.claim(door.uuid, turn.claim, turn.text)
    if (turn.kind === 'call') {
      const result = await door.call(turn.name, turn.args)
      messages.push(...said(answer), { role: 'tool', tool_call_id: turn.id, content: result.text })
      outcomeAsked = false
      strikes = result.outcome === 'invalid' ? strikes + 1 : 0
      if (strikes > context.params.maxMalformed) return giveUp(`${strikes} calls in a row were invalid.`)
      continue
    }
    strikes += 1
    // Twice without an outcome: success that is not stated is not claimed.
    const last = strikes > context.params.maxMalformed || (turn.what === 'no_outcome' && outcomeAsked)
    outcomeAsked = turn.what === 'no_outcome'
    context.note(door.uuid, { kind: 'malformed', what: turn.what, detail: turn.detail, retry: !last })
    if (last) return giveUp(turn.detail)
    messages.push(...said(answer), ...correction(answer, turn.detail))
  }

  function giveUp(reason: string): void {
    context.claim(door.uuid, 'gave_up', reason)
  }
}

function said(answer: ModelAnswer): Message[] {
  if (answer.status === 'interrupted') return []
  const { text, toolCalls } = answer
  if (toolCalls.length === 0) return text === null || text === '' ? [] : [{ role: 'assistant', content: text }]
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }))
  return [{ role: 'assistant', content: text, tool_calls: calls }]
}

/** Every call needs its answer, else endpoints refuse the conversation. */
function correction(answer: ModelAnswer, detail: string): Message[] {
  const calls = answer.status === 'answered' ? answer.toolCalls : []
  if (calls.length === 0) return [{ role: 'user', content: detail }]
  return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: JSON.stringify({ error: detail }) }))
}
