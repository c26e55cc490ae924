import type { z } from 'zod'
import { createBudget } from '../../harness/kit/index.js'
import type { Context, Goal } from '../../harness/contract/index.js'
import { createActivity } from './activity.js'
import type { Activity, Agent, Phase, PhasedSurface, Step } from './activity.js'
import { createMemory } from './memory.js'
import { mount } from './mounting.js'
import { notes } from './notes.js'
import { cellParams } from './params.js'
import type { Params, unpushedParams } from './params.js'
import { action } from './phases/action.js'
import { completed } from './phases/completed.js'
import { decision } from './phases/decision.js'
import { observation } from './phases/observation.js'
import { reasoning } from './phases/reasoning.js'
import { setup } from './phases/setup.js'
import { waiting } from './phases/waiting.js'
import { spent } from './progress.js'
import { keepMounted } from './result.js'
import { readAll } from './up-front.js'
import { nextLook } from './wait.js'

const cycle: Record<Phase, Step> = { decision, observation, reasoning, setup, action, waiting, completed }

/** The phases on a surface that pushes nothing: there is no focus, and nothing arrives between two calls. */
export function pursueUnpushed(
  context: Context<'await' | 'poll', z.output<typeof unpushedParams>>,
  surface: 'await' | 'poll',
): Promise<void> {
  const none = (): Promise<never[]> => Promise.resolve([])
  const nothing = (): Promise<void> => Promise.resolve()
  const open: Context<'push', Params>['open'] = async (name, goals) => ({
    ...(await context.open(name, goals)),
    verbs: [],
    news: context.bell,
    focus: nothing,
    unfocus: nothing,
    focused: () => [],
    sync: none,
    pending: none,
    drain: none,
    resync: nothing,
    recheck: nothing,
  })
  return pursue({ ...context, open, params: cellParams.parse(context.params) }, surface)
}

/**
 * The decision procedure: it acts on activities, which are passive. Pursues its goals as they arrive, each as an activity
 * of its own, until none is left and none is to come.
 */
export async function pursue(context: Context<'push', Params>, surface: PhasedSurface = 'push'): Promise<void> {
  const agent: Agent = {
    context,
    surface,
    memory: createMemory(context),
    budget: createBudget(context.params.malformed),
  }
  const inTurn = context.params.goalPolicy === 'sequential'
  const arrived: Goal[] = []
  const ready: Activity[] = []
  const suspended = new Set<Activity>()

  // Takes what has arrived, looks at the suspended activities, and advances one activity by one phase.
  for (;;) {
    context.bell.reset()
    arrived.push(...context.goals.take())
    const free = !inTurn || ready.length + suspended.size === 0
    for (const goal of free ? arrived.splice(0, inTurn ? 1 : arrived.length) : []) ready.push(await begin(goal, agent))
    for (const activity of suspended) {
      if ((await advance(activity, agent)) === 'waiting') continue
      suspended.delete(activity)
      ready.push(activity)
    }
    const activity = ready.shift()
    if (activity !== undefined) await run(activity)
    else if (suspended.size > 0 || context.goals.expected()) await context.wait(untilNextLook())
    else return
  }

  async function run(activity: Activity): Promise<void> {
    const { phase } = activity
    context.note(activity.door.uuid, notes.phase(phase, cycleOf(activity)))
    const next = await advance(activity, agent)
    if (next === 'waiting') suspended.add(activity)
    else if (next === 'terminated') return
    else if (keepsTurn(activity, agent, phase)) ready.unshift(activity)
    else ready.push(activity)
  }

  /** When it must look although nothing rings (ms from now); null: never. */
  function untilNextLook(): number | null {
    const looks = [...suspended].flatMap(({ suspension }) => (suspension === null ? [] : [nextLook(suspension)]))
    const next = Math.min(...looks)
    return next === Infinity ? null : Math.max(0, next - context.now())
  }
}

async function begin(goal: Goal, agent: Agent): Promise<Activity> {
  const { context, memory } = agent
  const door = await context.open(goal.index === 0 ? 'goal' : `goal-${goal.index + 1}`, [goal])
  const activity = createActivity(goal.text, { door, ...(await memory.begin(goal.text, door)) })
  keepMounted(activity, agent)
  if (context.params.documents === 'upFront') await readAll(activity, agent)
  if (context.params.phases === 'fused') {
    activity.phase = 'decision'
    for (const id of activity.memory.texts()) await mount(id, activity, agent)
  }
  return activity
}

async function advance(activity: Activity, agent: Agent): ReturnType<Step> {
  const next = await cycle[activity.phase](activity, agent)
  const fused = agent.context.params.phases === 'fused' && (next === 'observation' || next === 'reasoning')
  if (next !== 'terminated') activity.phase = fused ? 'decision' : next
  return next
}

/**
 * Whom the guard does not divert any more must not decide by what the others have changed meanwhile: from its OBSERVATION
 * to its action no other gets in between. A cycle that leads nowhere ends the privilege, and so does a SETUP.
 */
function keepsTurn(activity: Activity, agent: Agent, from: Phase): boolean {
  return (from === 'observation' || from === 'reasoning') && activity.phase !== 'observation' && spent(activity, agent)
}

/** An OBSERVATION begins a cycle. */
function cycleOf({ phase, cycle: count }: Activity): number {
  return phase === 'observation' || phase === 'decision' ? count + 1 : count
}
