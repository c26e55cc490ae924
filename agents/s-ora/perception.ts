import type { Reading, SignalEntry } from '../../harness/define/index.js'
import type { Activity, Agent } from './activity.js'
import { mismatchesIn } from './ranges.js'

/** Reads what is dirty among the focused tools. */
export async function perceive(activity: Activity, agent: Agent): Promise<readonly Reading[]> {
  const before = new Set(activity.beliefs)
  activity.beliefs = await activity.door.sync()
  const news = activity.beliefs.filter((reading) => !before.has(reading))
  const { namespaces, validateBeliefs } = agent.context.params
  if (namespaces === 'shared') overwrite(activity, news)
  if (validateBeliefs && news.length > 0) {
    const known = new Set(mismatchesIn(activity, [...before]).map(identify))
    for (const mismatch of mismatchesIn(activity, news))
      if (!known.has(identify(mismatch))) agent.context.note(activity.door.uuid, { kind: 'mismatch', ...mismatch })
  }
  return activity.beliefs
}

/** Signals that have arrived, are not drained, and concern the activity. */
export async function pending(activity: Activity): Promise<SignalEntry[]> {
  return heard(activity, await activity.door.pending())
}

/** The same, consumed; what the activity does not hear goes with them. */
export async function drain(activity: Activity): Promise<SignalEntry[]> {
  return heard(activity, await activity.door.drain())
}

/** A focus that was narrowed to single signals lets no others of that tool through. */
function heard({ narrowed }: Activity, entries: SignalEntry[]): SignalEntry[] {
  return entries.filter(({ tool, signal }) => narrowed.get(tool)?.has(signal) ?? true)
}

const identify = (mismatch: object): string => JSON.stringify(mismatch)

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
