import { createActivity } from './activity.js'
import type { Activity, Agent, Phase, Step } from './activity.js'
import { action } from './phases/action.js'
import { completed } from './phases/completed.js'
import { observation } from './phases/observation.js'
import { reasoning } from './phases/reasoning.js'
import { setup } from './phases/setup.js'
import { waiting } from './phases/waiting.js'
import { nextLook } from './wait.js'

const cycle: Record<Phase, Step> = { observation, reasoning, setup, action, waiting, completed }

/**
 * Pursues its goals as they arrive, each as an activity of its own: one phase of one activity per step, then the next in the ready queue has its turn. Suspended
 * activities are looked at before each step, and cost no model call.
 */
export async function pursue(agent: Agent): Promise<void> {
  const { context } = agent
  const ready: Activity[] = []
  const suspended = new Set<Activity>()
  for (;;) {
    context.bell.reset()
    for (const goal of context.goals.take()) {
      const name = goal.index === 0 ? 'goal' : `goal-${goal.index + 1}`
      ready.push(createActivity(goal.text, await context.open(name, [goal])))
    }
    for (const activity of suspended) {
      if ((await step(activity)) === 'waiting') continue
      suspended.delete(activity)
      ready.push(activity)
    }
    const activity = ready.shift()
    if (activity !== undefined) await run(activity)
    else if (suspended.size > 0) await context.wait(untilNextLook())
    else if (context.goals.expected()) await context.wait(null)
    else return
  }

  async function run(activity: Activity): Promise<void> {
    const { phase } = activity
    context.note(activity.door.uuid, { kind: 'phase', phase, cycle: cycleOf(activity) })
    const next = await step(activity)
    if (next === 'waiting') suspended.add(activity)
    else if (next !== 'terminated') ready.push(activity)
  }

  async function step(activity: Activity): ReturnType<Step> {
    const next = await cycle[activity.phase](activity, agent)
    if (next !== 'terminated') activity.phase = next
    return next
  }

  function untilNextLook(): number {
    const looks = [...suspended].flatMap(({ suspension }) => (suspension === null ? [] : [nextLook(suspension)]))
    return Math.max(0, Math.min(...looks) - context.now())
  }
}

/** An OBSERVATION begins a cycle. */
function cycleOf({ phase, cycle: count }: Activity): number {
  return phase === 'observation' ? count + 1 : count
}
