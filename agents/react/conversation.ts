import {
  correction,
  prompt,
  readCall,
  readEnd,
  readUpFront,
  repaired,
  said,
  turnedDown,
  whole,
} from '../../harness/kit/index.js'
import type { Budget, Call, End, Malformed } from '../../harness/kit/index.js'
import type { Context, DoorOf, Message, ModelAnswer, Surface, ToolSpec } from '../../harness/contract/index.js'
import { createInterval } from './interval.js'
import type { Knowledge } from './knowledge.js'
import type { ReactParams } from './params.js'
import { systemFor } from './prompts.js'

/** What a conversation is about, and what is known before it. */
interface Topic {
  door: DoorOf<Surface>
  goal: string
  knowledge: Knowledge
  budget: Budget
}

/** One turn as prompts show it. What was read stays in the prompt, whatever its window. */
interface Step {
  messages: Message[]
  stays: boolean
}

/** From the goal to the claim. An answer that cannot be carried out is corrected and counted; nothing older is ever repeated. */
export async function converse(
  context: Context<Surface, ReactParams>,
  { door, goal, knowledge, budget }: Topic,
): Promise<void> {
  const { blockTimeoutMs, documents, window } = context.params
  if ('waitAtMost' in door && blockTimeoutMs !== undefined) door.waitAtMost(blockTimeoutMs)
  if (documents === 'upFront' && knowledge.exchanges().length === 0) knowledge.learn(await readUpFront(door))
  const interval = createInterval(context.params)
  const tools = interval.offer([...door.tools(), ...('verbs' in door ? door.verbs : [])])
  const opening: Message[] = [
    { role: 'system', content: systemFor(door) },
    { role: 'user', content: goal },
    ...knowledge.exchanges(),
  ]
  const steps: Step[] = []
  const shown = (): Message[] =>
    steps
      .filter(({ stays }, index) => stays || window === null || index >= steps.length - window)
      .flatMap(({ messages }) => messages)

  for (;;) {
    const arrived = await news(door)
    const messages = [...opening, ...shown(), ...arrived, ...(await values(door))]
    const answer = await context.model.ask({ phase: 'turn', activity: door.uuid, messages, tools })
    const turn = readTurn(answer, tools)
    if (turn.kind !== 'malformed' && turn.mends.length > 0) context.note(door.uuid, repaired(turn.mends))
    if (turn.kind === 'end') {
      budget.earn()
      return context.claim(door.uuid, turn.claim, turn.text)
    }
    if (turn.kind === 'malformed') {
      const retry = budget.spend()
      context.note(door.uuid, { kind: 'malformed', what: turn.what, detail: turn.detail, retry })
      if (!retry) return giveUp(turn.detail)
      steps.push({ messages: [...arrived, ...said(answer), ...correction(answer, turn.detail)], stays: false })
      continue
    }
    const result = await door.call(turn.tool.name, interval.settle(turn.tool, turn.args))
    interval.heed(result)
    const exchange: Message[] = [
      ...said(answer),
      { role: 'tool', tool_call_id: turn.id, content: result.text },
      ...turnedDown(answer, 'Only the first call of an answer is carried out. This one was not.', 1),
    ]
    const stays = knowledge.keep({ name: turn.tool.name, args: turn.args }, result, exchange)
    steps.push({ messages: [...arrived, ...exchange], stays })
    if (result.outcome !== 'invalid') budget.earn()
    else if (!budget.spend()) return giveUp('Too many answers in a row were malformed, or invalid calls.')
  }

  function giveUp(reason: string): void {
    context.claim(door.uuid, 'gave_up', reason)
  }
}

/** What an answer of the model means: one call, the end, or something that cannot be carried out. */
function readTurn(answer: ModelAnswer, tools: readonly ToolSpec[]): Call | End | Malformed {
  const complete = whole(answer)
  if ('kind' in complete) return complete
  return complete.toolCalls.length > 0 ? readCall(complete, tools) : readEnd(complete)
}

/** What has ended, or was signalled, since the last turn, where the door tells of it. */
async function news(door: DoorOf<Surface>): Promise<Message[]> {
  if ('completions' in door) return told((await door.completions()).map(prompt.signalLine))
  return 'drain' in door ? told((await door.drain()).map(prompt.signalLine)) : []
}

/** The present values of the tools in focus; the next prompt shows others in their place. */
async function values(door: DoorOf<Surface>): Promise<Message[]> {
  return 'sync' in door ? told((await door.sync()).flatMap(prompt.variableLines)) : []
}

const told = (lines: readonly string[]): Message[] =>
  lines.length === 0 ? [] : [{ role: 'user', content: lines.join('\n') }]
