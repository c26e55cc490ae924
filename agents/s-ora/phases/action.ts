import type { CallResult, JsonObject } from '../../../harness/define/index.js'
import { prompt } from '../../../harness/define/index.js'
import { perceive, remember } from '../activity.js'
import type { Activity, Agent, Next, Step } from '../activity.js'
import { readCall } from '../call.js'
import type { Call } from '../call.js'
import { converse } from '../dialogue.js'
import {
  compose,
  documentsSection,
  historySection,
  instructionSection,
  planSection,
  variablesSection,
} from '../prompts.js'
import { advance, diverts, setback } from '../progress.js'
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
      await perceive(activity)
      return compose('action', activity, [
        documentsSection(activity, agent),
        planSection(activity),
        variablesSection(activity),
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
  const { context, memory } = agent
  const at = context.now()
  const wait = activity.intention?.wait ?? null
  const target = { tool: call.tool.name, ...(typeof call.args.action === 'string' && { action: call.args.action }) }

  if (call.tool === declineTool) {
    remember(activity, at, [prompt.fact({ declined: call.args.reason ?? '', at })])
    return setback(activity, agent, 'The action was declined.', 'reasoning')
  }
  if (await diverts(activity, agent, 'action')) {
    remember(activity, at, [prompt.fact({ notDispatched: target, reason: 'A signal came first.', at })])
    return 'observation'
  }
  const known = [...activity.mounted].some((id) => memory.covers(id).includes(call.tool.name))
  if (context.params.knowledgeConstraint && call.tool.kind === 'operation' && !known) {
    const reason = `No mounted document covers ${call.tool.name}.`
    remember(activity, at, [prompt.fact({ notDispatched: target, reason, at })])
    const retry = activity.setbacks < context.params.maxSetbacks
    context.note(activity.door.uuid, { kind: 'malformed', what: 'no_manual', detail: reason, retry })
    return setback(activity, agent, reason, 'reasoning')
  }

  const result = await dispatch(call.tool.name, call.args, activity, agent)
  activity.intention = null
  if (result.outcome === 'invalid') return setback(activity, agent, 'The call was invalid.', 'observation')
  advance(activity)
  if (wait === null || (result.outcome !== 'accepted' && result.outcome !== 'read')) return 'observation'
  suspend(activity, agent, wait)
  return 'waiting'
}

async function dispatch(tool: string, args: JsonObject, activity: Activity, { memory }: Agent): Promise<CallResult> {
  const result = await activity.door.call(tool, args)
  remember(activity, result.at, [memory.learn(result, args)])
  return result
}
