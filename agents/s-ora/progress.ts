import type { Activity, Agent, Next, Phase } from './activity.js'

/** A step forward: an action was carried out, a setup changed something, a wait began. */
export function advance(activity: Activity): void {
  activity.diversions = 0
  activity.setbacks = 0
}

/** A phase that led nowhere. Nothing of its instruction survives; too many in a row end the activity. */
export function setback(activity: Activity, agent: Agent, reason: string, then: Phase): Next {
  activity.intention = null
  activity.setbacks += 1
  if (activity.setbacks <= agent.context.params.maxSetbacks) return then
  agent.context.claim(activity.door.uuid, 'gave_up', `${activity.setbacks} steps in a row led nowhere: ${reason}`)
  return 'terminated'
}

/**
 * The guard: undrained signals come before what was about to happen, at most `maxDiversions` times without a step
 * forward, so that a storm of signals starves nobody. What had been decided is dropped.
 */
export async function diverts(activity: Activity, agent: Agent, from: Phase): Promise<boolean> {
  const { guard, maxDiversions } = agent.context.params
  if (!guard || activity.diversions >= maxDiversions) return false
  const pending = await activity.door.pending()
  if (pending.length === 0) return false
  activity.diversions += 1
  activity.intention = null
  agent.context.note(activity.door.uuid, { kind: 'guard', from, signals: pending.map(({ signal }) => signal) })
  return true
}
