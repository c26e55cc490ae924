import type { Reading } from '../../harness/contract/index.js'
import type { Activity, Agent } from './activity.js'
import { notes } from './notes.js'
import { mismatchesIn } from './ranges.js'
import type { Mismatch } from './ranges.js'

/** Reads what is dirty among the focused tools. */
export async function perceive(activity: Activity, agent: Agent): Promise<readonly Reading[]> {
  const before = activity.beliefs
  activity.beliefs = await activity.door.sync()
  const news = activity.beliefs.filter(
    (reading) => reading.notRead === undefined && !before.some((known) => isSame(known, reading)),
  )
  if (agent.context.params.namespaces === 'shared') overwrite(activity, news)
  if (news.length > 0) doubt(activity, agent, mismatchesIn(activity, before))
  return activity.beliefs
}

/** Before a model call or an action: reads also what no doorbell has marked, where the parameters want it. */
export async function lookAgain(activity: Activity, agent: Agent, guarded: boolean): Promise<void> {
  const { guard, recheck } = agent.context.params
  const due = recheck === 'always' || (recheck === 'guard' && guard !== 'off' && guarded)
  if (due) await activity.door.recheck()
}

/** Tells of beliefs that the mounted documents do not allow, without those that were `known`. */
export function doubt(activity: Activity, { context }: Agent, known: readonly Mismatch[]): void {
  if (!context.params.validateBeliefs) return
  const told = new Set(known.map(identify))
  for (const mismatch of mismatchesIn(activity, activity.beliefs))
    if (!told.has(identify(mismatch))) context.note(activity.door.uuid, notes.mismatch(mismatch))
}

/** Another object may be the same reading. */
function isSame(one: Reading, other: Reading): boolean {
  return one === other || (one.tool === other.tool && identify(one) === identify(other))
}

const identify = (value: object): string => JSON.stringify(value)

/** Where the agent keeps its own state in the map of the world's variables (thesis, Listing 7.2), and of the same names. */
export const OWN_STATE: readonly string[] = ['goal_progress', 'act_instruction']

/** In one namespace what came last is what counts, whoever wrote it. */
function overwrite(activity: Activity, news: readonly Reading[]): void {
  for (const { properties } of news) {
    const progress = properties['goal_progress']?.value
    if (progress !== undefined) activity.plan = [String(progress)]
    const instruction = properties['act_instruction']?.value
    if (instruction !== undefined && activity.intention !== null)
      activity.intention = { ...activity.intention, instruction: String(instruction) }
  }
}
