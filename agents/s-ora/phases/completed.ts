import { lines } from '../../../harness/kit/index.js'
import type { Step } from '../activity.js'
import { converse, readJson } from '../dialogue.js'
import { learnFrom } from '../progress.js'
import { compose, fullHistorySection, planSection } from '../prompts.js'
import * as schemas from '../schemas.js'

/** Reflects on the whole history, then says how the goal ended (thesis 5.4.3, step 6). */
export const completed: Step = async (activity, agent) => {
  const { verdict } = activity
  if (verdict === null) return 'observation'
  const { claim, summary, at } = verdict
  const reply = await converse(activity, agent, {
    phase: 'completed',
    offer: { form: schemas.completed },
    read: readJson(schemas.completed),
    compose: () =>
      Promise.resolve(
        compose('completed', activity, agent, [
          planSection(activity),
          fullHistorySection(activity, {
            at,
            lines: [lines.end.write({ ended: claim, summary, at })],
            beliefs: activity.beliefs,
          }),
        ]),
      ),
  })
  if (reply.kind === 'diverted') return 'observation'
  // What was seen before the reflection stands, whatever becomes of the reflection.
  const reflected = reply.kind === 'value' ? reply.value : { summary, lessons: [], procedure: [] }
  const { lessons, procedure } = reflected
  learnFrom(activity, agent, { outcome: claim, summary: reflected.summary, lessons, procedure })
  agent.context.claim(activity.door.uuid, claim, reflected.summary)
  return 'terminated'
}
