import type { Context } from '../../harness/contract/index.js'
import { createActivity } from './activity.js'
import type { Activity, Agent, Phase, Step } from './activity.js'
import { createMemory } from './memory.js'
import type { Params } from './params.js'
import { action } from './phases/action.js'
import { completed } from './phases/completed.js'
import { observation } from './phases/observation.js'
import { reasoning } from './phases/reasoning.js'
import { setup } from './phases/setup.js'
import { waiting } from './phases/waiting.js'
import { spent } from './progress.js'
import { restoreActivity, snapshotActivity } from './snapshot.js'
import type { Doors, Snapshot } from './snapshot.js'
import { readAll } from './up-front.js'
import { nextLook } from './wait.js'

const cycle: Record<Phase, Step> = { observation, reasoning, setup, action, waiting, completed }

/** The decision procedure: it acts on activities, which are passive. */
export interface Runtime {
  /**
   * Takes what has arrived, looks at the suspended activities, and advances one activity by one phase. `idle`: all are
   * suspended, or nothing is at hand yet; only a ring or `untilNextLook` brings news. `done`: nothing will ever be to do.
   */
  step(): Promise<'stepped' | 'idle' | 'done'>
  /** When it must look although nothing rings (ms from now); null: never. */
  untilNextLook(): number | null
  /** All that it knows, as JSON; the doors stay with who holds them. */
  snapshot(): Snapshot
}

/** Pursues its goals as they arrive, each as an activity of its own, until none is left and none is to come. */
export async function pursue(context: Context<'push', Params>): Promise<void> {
  const runtime = createRuntime(context)
  for (;;) {
    const end = await runtime.step()
    if (end === 'done') return
    if (end === 'idle') await context.wait(runtime.untilNextLook())
  }
}

/** From a snapshot it goes on where that was taken, with the doors of the activities that it tells of. */
export function createRuntime(
  context: Context<'push', Params>,
  restored?: { snapshot: Snapshot; doors: Doors },
): Runtime {
  const agent: Agent = { context, memory: createMemory(context, restored?.snapshot.memory) }
  const ready: Activity[] = []
  const suspended = new Set<Activity>()
  if (restored !== undefined) resume(restored.snapshot, restored.doors)

  return {
    async step() {
      context.bell.reset()
      for (const goal of context.goals.take()) {
        const name = goal.index === 0 ? 'goal' : `goal-${goal.index + 1}`
        const door = await context.open(name, [goal])
        const activity = createActivity(goal.text, { door, ...(await agent.memory.begin(goal.text, door)) })
        if (context.params.documentsUpFront) await readAll(activity, agent)
        ready.push(activity)
      }
      for (const activity of suspended) {
        if ((await advance(activity)) === 'waiting') continue
        suspended.delete(activity)
        ready.push(activity)
      }
      const activity = ready.shift()
      if (activity !== undefined) {
        await run(activity)
        return 'stepped'
      }
      return suspended.size > 0 || context.goals.expected() ? 'idle' : 'done'
    },
    untilNextLook() {
      const looks = [...suspended].flatMap(({ suspension }) => (suspension === null ? [] : [nextLook(suspension)]))
      const next = Math.min(...looks)
      return next === Infinity ? null : Math.max(0, next - context.now())
    },
    snapshot: () => ({
      version: 1,
      memory: agent.memory.contents(),
      ready: ready.map((each) => snapshotActivity(each, agent.memory.semantic)),
      suspended: [...suspended].map((each) => snapshotActivity(each, agent.memory.semantic)),
    }),
  }

  function resume(snapshot: Snapshot, doors: Doors): void {
    const shared = agent.memory.semantic
    for (const each of snapshot.ready) ready.push(restoreActivity(each, doors, shared))
    for (const each of snapshot.suspended) suspended.add(restoreActivity(each, doors, shared))
  }

  async function run(activity: Activity): Promise<void> {
    const { phase } = activity
    context.note(activity.door.uuid, { kind: 'phase', phase, cycle: cycleOf(activity) })
    const next = await advance(activity)
    if (next === 'waiting') suspended.add(activity)
    else if (next === 'terminated') return
    else if (keepsTurn(activity, agent, phase)) ready.unshift(activity)
    else ready.push(activity)
  }

  async function advance(activity: Activity): ReturnType<Step> {
    const next = await cycle[activity.phase](activity, agent)
    if (next !== 'terminated') activity.phase = next
    return next
  }
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
  return phase === 'observation' ? count + 1 : count
}
