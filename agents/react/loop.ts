import { createBudget, prompt } from '../../harness/kit/index.js'
import type { Context, Goal, Surface } from '../../harness/contract/index.js'
import { converse } from './conversation.js'
import { createKnowledge } from './knowledge.js'
import type { ReactParams } from './params.js'

/**
 * ReAct (Yao et al.): thought, one action, observation, until the model answers in text. What the agent can do is its
 * door's surface alone. Several goals are pursued one after the other, or as many as there are in one prompt.
 */
export async function react(context: Context<Surface, ReactParams>): Promise<void> {
  const merged = context.params.goalPolicy === 'merged'
  const knowledge = createKnowledge()
  const budget = createBudget(context.params.malformed)
  const waiting: Goal[] = []
  for (;;) {
    context.bell.reset()
    waiting.push(...context.goals.take())
    const batch = waiting.splice(0, merged ? waiting.length : 1)
    const [first] = batch
    if (first !== undefined) {
      const door = await context.open(first.index === 0 ? 'goal' : `goal-${first.index + 1}`, batch)
      const goal = prompt.goal(batch.map(({ text }) => text))
      await converse(context, { door, goal, knowledge, budget })
    } else if (context.goals.expected()) await context.wait(null)
    else return
  }
}
