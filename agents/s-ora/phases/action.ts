import { lines, prompt, readCall } from '../../../harness/kit/index.js'
import { remember } from '../activity.js'
import type { Activity, Agent, Next, Step } from '../activity.js'
import type { Call } from '../../../harness/kit/index.js'
import { converse } from '../dialogue.js'
import { lookAgain, perceive } from '../perception.js'
import { advance, diverts, giveUp, setback } from '../progress.js'
import {
  compose,
  documentsSection,
  historySection,
  instructionSection,
  planSection,
  variablesSection,
} from '../prompts.js'
import { takeIn } from '../result.js'
import { declineTool, toolsOf } from '../tools.js'
import { suspend } from '../wait.js'

/** Carries out the instruction by one call, and records what came back (thesis 5.4.3, step 5). */
export const action: Step = async (activity, agent) => {
  const tools = [...toolsOf(activity, agent), declineTool]
  const reply = await converse(activity, agent, {
    phase: 'action',
    offer: { tools },
    read(answer) {
      const call = readCall(answer, tools)
      return call.kind === 'call' ? { kind: 'value', value: call, mends: call.mends } : call
    },
    async compose() {
      await perceive(activity, agent)
      return compose('action', activity, agent, [
        documentsSection(activity),
        planSection(activity),
        variablesSection(activity, agent),
        instructionSection(activity),
        historySection(activity, agent.context.params.window),
      ])
    },
  })
  if (reply.kind === 'diverted') return 'observation'
  if (reply.kind === 'failed') return giveUp(activity, agent, reply.reason)
  return dispatch(reply.value, activity, agent)
}

/** Carries out a call that was decided, unless the guard or the knowledge constraint holds it back. */
export async function dispatch(call: Call, activity: Activity, agent: Agent): Promise<Next> {
  const { context } = agent
  const { memory } = activity
  const at = context.now()
  const wait = activity.intention?.wait ?? null
  const target = { tool: call.tool.name, ...(typeof call.args.action === 'string' && { action: call.args.action }) }

  if (call.tool === declineTool) {
    agent.budget.earn()
    remember(activity, at, [prompt.fact({ declined: call.args.reason ?? '', at })])
    return setback(activity, agent, 'The action was declined.', 'reasoning')
  }
  if (context.params.guardActions) {
    await lookAgain(activity, agent, true)
    const diverted = await diverts(activity, agent, 'action')
    if (diverted !== null) {
      remember(activity, at, [lines.withheld.write({ notDispatched: target, reason: diverted, at: context.now() })])
      return 'observation'
    }
  }
  const known = [...activity.mounted].some((id) => memory.covers(id).includes(call.tool.name))
  if (context.params.knowledgeConstraint && call.tool.kind === 'operation' && !known) {
    const reason = `No mounted document covers ${call.tool.name}.`
    remember(activity, at, [lines.withheld.write({ notDispatched: target, reason, at })])
    const retry = activity.setbacks < context.params.maxSetbacks
    context.note(activity.door.uuid, { kind: 'malformed', what: 'no_manual', detail: reason, retry })
    return setback(activity, agent, reason, 'reasoning')
  }

  const result = await activity.door.call(call.tool.name, call.args)
  activity.intention = null
  if (result.outcome !== 'invalid') agent.budget.earn()
  if (call.tool.kind === 'operation' && result.outcome === 'accepted') activity.operated.add(call.tool.name)
  const afterwards = await takeIn(activity, agent, { result, args: call.args })
  if (afterwards === 'failed') return giveUp(activity, agent, 'Too many answers in a row were malformed.')
  if (result.outcome === 'invalid') {
    const reason = 'The call was invalid.'
    return agent.budget.spend() ? setback(activity, agent, reason, 'observation') : giveUp(activity, agent, reason)
  }
  advance(activity)
  const next = context.params.waitDecided === 'after' ? afterwards : wait
  if (next === null || (result.outcome !== 'accepted' && result.outcome !== 'read')) return 'observation'
  return suspend(activity, agent, next)
}
