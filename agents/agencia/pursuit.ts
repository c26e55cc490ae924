import { createBudget } from '../../harness/kit/index.js'
import type { Context, Goal } from '../../harness/contract/index.js'
import { converse } from './conversation.js'
import { createKnowledge } from './knowledge.js'
import type { AgenciaParams } from './params.js'

/** One goal after the other, as they arrive, each in a conversation of its own. */
export async function pursue(context: Context<'act', AgenciaParams>): Promise<void> {
  const knowledge = createKnowledge()
  const budget = createBudget(context.params.malformed)
  const waiting: Goal[] = []
  for (;;) {
    context.bell.reset()
    waiting.push(...context.goals.take())
    const goal = waiting.shift()
    if (goal !== undefined) await converse(context, { goal, knowledge, budget })
    else if (context.goals.expected()) await context.wait(null)
    else return
  }
}
