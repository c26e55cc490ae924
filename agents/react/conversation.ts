import { lines, prompt } from '../../harness/kit/index.js'
import type { Context, DoorOf, Message, ModelAnswer, Surface } from '../../harness/contract/index.js'
import { createInterval } from './interval.js'
import type { Knowledge } from './knowledge.js'
import type { ReactParams } from './params.js'
import { systemFor } from './prompts.js'
import { readTurn } from './turn.js'

/** What a conversation is about, and what is known before it. */
interface Topic {
  door: DoorOf<Surface>
  goal: string
  knowledge: Knowledge
}

/** From the goal to the claim. An answer that cannot be carried out is corrected and counted; nothing older is ever repeated. */
export async function converse(
  context: Context<Surface, ReactParams>,
  { door, goal, knowledge }: Topic,
): Promise<void> {
  const { maxMalformed, blockTimeoutMs } = context.params
  if ('waitAtMost' in door && blockTimeoutMs !== undefined) door.waitAtMost(blockTimeoutMs)
  const interval = createInterval(context.params)
  const tools = interval.offer(door.tools())
  const messages: Message[] = [
    { role: 'system', content: systemFor(door) },
    { role: 'user', content: goal },
    ...knowledge.exchanges(),
  ]
  let strikes = 0
  let outcomeAsked = false

  for (;;) {
    messages.push(...(await news(door)))
    const answer = await context.model.ask({ phase: 'turn', activity: door.uuid, messages: [...messages], tools })
    const turn = readTurn(answer, tools)
    if (turn.kind === 'end') return context.claim(door.uuid, turn.claim, turn.text)
    if (turn.kind === 'call') {
      const result = await door.call(turn.name, interval.settle(turn.tool, turn.args))
      interval.heed(result)
      const exchange: Message[] = [...said(answer), { role: 'tool', tool_call_id: turn.id, content: result.text }]
      messages.push(...exchange)
      knowledge.keep(turn, result, exchange)
      outcomeAsked = false
      strikes = result.outcome === 'invalid' ? strikes + 1 : 0
      if (strikes > maxMalformed) return giveUp(`${strikes} calls in a row were invalid.`)
      continue
    }
    strikes += 1
    // Twice without an outcome: success that is not stated is not claimed.
    const last = strikes > maxMalformed || (turn.what === 'no_outcome' && outcomeAsked)
    outcomeAsked = turn.what === 'no_outcome'
    context.note(door.uuid, { kind: 'malformed', what: turn.what, detail: turn.detail, retry: !last })
    if (last) return giveUp(turn.detail)
    messages.push(...said(answer), ...correction(answer, turn.detail))
  }

  function giveUp(reason: string): void {
    context.claim(door.uuid, 'gave_up', reason)
  }
}

/** What has ended since the last turn, where the door tells of it. */
async function news(door: DoorOf<Surface>): Promise<Message[]> {
  if (!('completions' in door)) return []
  const ends = await door.completions()
  return ends.length === 0 ? [] : [{ role: 'user', content: ends.map(prompt.signalLine).join('\n') }]
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
  return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: lines.failure.write({ error: detail }) }))
}
