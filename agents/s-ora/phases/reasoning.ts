import type { Activity, Agent, Next, Step } from '../activity.js'
import { converse, readJson } from '../dialogue.js'
import { perceive } from '../perception.js'
import {
  catalogueSection,
  compose,
  documentsSection,
  historySection,
  memoriesSection,
  planSection,
  variablesSection,
} from '../prompts.js'
import { giveUp } from '../progress.js'
import * as schemas from '../schemas.js'
import type { Decision } from '../schemas.js'
import { conditionOf, endless, suspend } from '../wait.js'

/** Decides the one next step, in words that a later phase carries out (thesis 5.4.3, step 4). */
export const reasoning: Step = async (activity, agent) => {
  const form = schemas.reasoning(agent.context.params)
  const reply = await converse(activity, agent, {
    phase: 'reasoning',
    offer: { form },
    read: readJson(form, (decision) => wrongWith(decision, activity, agent)),
    async compose() {
      await perceive(activity, agent)
      return compose('reasoning', activity, agent, [
        documentsSection(activity),
        catalogueSection(activity),
        ...memoriesSection(activity),
        planSection(activity),
        variablesSection(activity, agent),
        historySection(activity, agent.context.params.window),
      ])
    },
  })
  if (reply.kind === 'diverted') return 'observation'
  if (reply.kind === 'failed') return giveUp(activity, agent, reply.reason)

  return follow(reply.value, activity, agent)
}

function follow(reply: Decision, activity: Activity, agent: Agent): Next {
  const { decision, instruction } = reply
  const { beliefs } = activity
  const wait = conditionOf(reply)
  if (decision === 'SETUP') {
    activity.intention = { instruction, wait: null, beliefs }
    return 'setup'
  }
  if (decision === 'ACT') {
    activity.intention = { instruction, wait, beliefs }
    return 'action'
  }
  if (decision === 'WAIT' && wait !== null) {
    return suspend(activity, agent, wait)
  }
  return 'observation'
}

function wrongWith(decision: Decision, activity: Activity, agent: Agent): { what: string; detail: string } | null {
  const wait = conditionOf(decision)
  switch (decision.decision) {
    case 'SETUP':
    case 'ACT':
      if (decision.instruction.trim() !== '') break
      return { what: 'no_instruction', detail: `${decision.decision} needs an "instruction".` }
    case 'WAIT':
      if (wait !== null) break
      return { what: 'no_condition', detail: 'WAIT needs a "wait" with the name of a signal, or with "when".' }
    case 'OBSERVE':
      return null
  }
  return wait === null ? null : endless(wait, activity, agent)
}
