import { remember } from '../activity.js'
import type { Step } from '../activity.js'
import { converse, readJson } from '../dialogue.js'
import { notes } from '../notes.js'
import { perceive } from '../perception.js'
import {
  compose,
  documentsSection,
  historySection,
  memoriesSection,
  planSection,
  signalLines,
  signalsSection,
  unreadLine,
  variablesSection,
} from '../prompts.js'
import { giveUp } from '../progress.js'
import * as schemas from '../schemas.js'

/** Takes in what came, revises the plan, and says whether the activity is over (thesis 5.4.3, step 1). */
export const observation: Step = async (activity, agent) => {
  const { context } = agent
  activity.cycle += 1
  activity.verdict = null
  activity.inbox.push(...(await activity.door.drain()))
  const reply = await converse(activity, agent, {
    phase: 'observation',
    offer: { form: schemas.observation },
    read: readJson(schemas.observation),
    async compose() {
      await perceive(activity, agent)
      return compose('observation', activity, agent, [
        documentsSection(activity, [unreadLine(activity)]),
        ...(context.params.experiencesIn === 'planning' ? memoriesSection(activity) : []),
        planSection(activity),
        variablesSection(activity, agent),
        signalsSection(activity, agent),
        historySection(activity, context.params.window),
      ])
    },
  })
  // A signal that no answer has taken in stays in the inbox for the next OBSERVATION.
  if (reply.kind === 'diverted') return 'observation'
  if (reply.kind === 'failed') return giveUp(activity, agent, reply.reason)

  const { completed, achieved, summary, plan } = reply.value
  if (activity.inbox.length > 0)
    remember(activity, context.now(), signalLines(activity.inbox, context.params.maxSignals))
  activity.inbox = []
  activity.plan = plan
  context.note(activity.door.uuid, notes.plan(plan, summary))
  if (!completed) return 'reasoning'
  activity.verdict = { claim: achieved ? 'achieved' : 'gave_up', summary, at: context.now() }
  return 'completed'
}
