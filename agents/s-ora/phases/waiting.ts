import type { Step } from '../activity.js'
import { look, wake } from '../wait.js'

/** Looks, without any model, whether the wait is over. */
export const waiting: Step = async (activity, agent) => {
  if (activity.suspension === null) return 'observation'
  const end = await look(activity, agent, activity.suspension)
  if (end === null) return 'waiting'
  wake(activity, agent, activity.suspension, end)
  return 'observation'
}
