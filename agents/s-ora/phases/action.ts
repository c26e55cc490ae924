import { lines, prompt } from '../../../harness/kit/index.js'
import { remember } from '../activity.js'
import type { Activity, Agent, Next, Step } from '../activity.js'
import { readCall } from '../call.js'
import type { Call } from '../call.js'
import { converse } from '../dialogue.js'
import { perceive } from '../perception.js'
import { advance, diverts, setback } from '../progress.js'
import {
  compose,
  documentsSection,
  historySection,
  instructionSection,
  planSection,
  variablesSection,
} from '../prompts.js'
import { takeIn } from '../result.js'
import { declineTool } from '../tools.js'
import { suspend } from '../wait.js'

/** Carries out the instruction by one call, and records what came back (thesis 5.4.3, step 5). */
export const action: Step = async (activity, agent) => {
  const tools = [...activity.door.tools(), declineTool]
  const reply = await converse(activity, agent, {
    phase: 'action',
    offer: { tools },
    read: (answer) => readCall(answer, tools),
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
  if (reply.kind === 'failed') return setback(activity, agent, reply.reason, 'observation')
  return decide(reply.value, activity, agent)
}

async function decide(call: Call, activity: Activity, agent: Agent): Promise<Next> {
  const { context } = agent
  const { memory } = activity
  const at = context.now()
  const wait = activity.intention?.wait ?? null
  const target = { tool: call.tool.name, ...(typeof call.args.action === 'string' && { action: call.args.action }) }

  if (call.tool === declineTool) {
    remember(activity, at, [prompt.fact({ declined: call.args.reason ?? '', at })])
    return setback(activity, agent, 'The action was declined.', 'reasoning')
  }
  if (context.params.guardActions && (await diverts(activity, agent, 'action'))) {
    remember(activity, at, [lines.withheld.write({ notDispatched: target, reason: 'A signal came first.', at })])
    return 'observation'
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
  const afterwards = await takeIn(activity, agent, { result, args: call.args })
  if (result.outcome === 'invalid') return setback(activity, agent, 'The call was invalid.', 'observation')
  advance(activity)
  const next = context.params.waitDecided === 'after' ? afterwards : wait
  if (next === null || (result.outcome !== 'accepted' && result.outcome !== 'read')) return 'observation'
  return suspend(activity, agent, next)
}
