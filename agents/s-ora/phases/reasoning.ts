import type { z } from 'zod'
import type { WaitCondition } from '../../../harness/define/index.js'
import { perceive } from '../activity.js'
import type { Activity, Agent, Next, Step } from '../activity.js'
import { converse, readJson } from '../dialogue.js'
import {
  catalogueSection,
  compose,
  documentsSection,
  historySection,
  planSection,
  variablesSection,
} from '../prompts.js'
import { setback } from '../progress.js'
import * as schemas from '../schemas.js'
import { suspend } from '../wait.js'

type Decision = z.output<typeof schemas.reasoning.schema>

/** Decides the one next step, in words that a later phase carries out (thesis 5.4.3, step 4). */
export const reasoning: Step = async (activity, agent) => {
  const reply = await converse(activity, agent, {
    phase: 'reasoning',
    offer: { form: schemas.reasoning },
    read: readJson(schemas.reasoning, (decision) => wrongWith(decision, activity)),
    async compose() {
      await perceive(activity)
      return compose('reasoning', activity, [
        documentsSection(activity, agent),
        catalogueSection(activity, agent),
        planSection(activity),
        variablesSection(activity),
        historySection(activity, agent.context.params.window),
      ])
    },
  })
  if (reply.kind === 'diverted') return 'observation'
  if (reply.kind === 'failed') return setback(activity, agent, reply.reason, 'observation')

  return follow(reply.value, activity, agent)
}

function follow(reply: Decision, activity: Activity, agent: Agent): Next {
  const { decision, instruction } = reply
  const wait = conditionOf(reply)
  if (decision === 'SETUP') {
    activity.intention = { instruction, wait: null }
    return 'setup'
  }
  if (decision === 'ACT') {
    activity.intention = { instruction, wait }
    return 'action'
  }
  if (decision === 'WAIT' && wait !== null) {
    suspend(activity, agent, wait)
    return 'waiting'
  }
  return 'observation'
}

/** A wait that nothing could end but its time-out is none. */
function conditionOf({ wait }: Decision): WaitCondition | null {
  return wait === null || (wait.signals.length === 0 && wait.when === null) ? null : wait
}

function wrongWith(decision: Decision, { door }: Activity): { what: string; detail: string } | null {
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
  if (wait === null || wait.signals.length > 0 || wait.when === null) return null
  if (door.focused().includes(wait.when.tool)) return null
  return {
    what: 'unobserved_condition',
    detail: `"when" can be seen only for a tool in focus, and ${JSON.stringify(wait.when.tool)} is not.`,
  }
}
