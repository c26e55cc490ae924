import type { Activity, Agent, Next, Phase } from './activity.js'
import type { Experience } from './experiences.js'
import { notes } from './notes.js'
import { perceive } from './perception.js'
import { concerns, overtaken } from './relevance.js'

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
  return giveUp(activity, agent, `${activity.setbacks} steps in a row led nowhere: ${reason}`)
}

/** Keeps what became of the goal. Which documents it took the runtime knows, whatever a reflection says of it. */
export function learnFrom(
  { goal, door, memory, mounted, operated }: Activity,
  agent: Agent,
  told: Pick<Experience, 'outcome' | 'summary'> & Partial<Pick<Experience, 'lessons' | 'procedure'>>,
): void {
  const used = new Set([...operated, ...door.focused()])
  const present = new Set([...memory.tools(), ...door.tools().map(({ name }) => name)])
  const { outcome, summary, lessons = [], procedure = [] } = told
  const read = memory.texts()
  const needed = read.filter((id) => mounted.has(id) && memory.covers(id).some((tool) => used.has(tool)))
  const idle = read.filter((id) => {
    const covers = memory.covers(id)
    return covers.length > 0 && !covers.some((tool) => present.has(tool))
  })
  agent.memory.learn({ goal, outcome, summary, lessons, procedure, needed, idle })
}

export function giveUp(activity: Activity, agent: Agent, summary: string): Next {
  learnFrom(activity, agent, { outcome: 'gave_up', summary })
  agent.context.claim(activity.door.uuid, 'gave_up', summary)
  return 'terminated'
}

/**
 * The guard: what the activity has not taken in comes before what was about to happen, at most `maxDiversions` times
 * without a step forward, so that a storm of signals starves nobody. What had been decided is dropped. Returns why.
 */
export async function diverts(activity: Activity, agent: Agent, from: Phase | 'result'): Promise<string | null> {
  if (!mayDivert(activity, agent)) return null
  const { guard, guardBeliefs } = agent.context.params
  const arrived = await activity.door.pending()
  const heeded = guard === 'any' ? arrived : arrived.filter((entry) => concerns(activity, entry))
  const moved = from === 'action' && guardBeliefs ? overtaken(activity, await perceive(activity, agent)) : []
  if (heeded.length === 0 && moved.length === 0) return null
  activity.diversions += 1
  activity.intention = null
  agent.context.note(activity.door.uuid, notes.guard(from, heeded, moved))
  return heeded.length > 0 ? 'A signal came first.' : `What it rests on has changed: ${moved.join(', ')}.`
}

/** Was it diverted as often as it may be, without a step forward since? */
export function spent({ diversions }: Activity, { context }: Agent): boolean {
  return diversions > 0 && diversions >= context.params.maxDiversions
}

export function mayDivert({ diversions }: Activity, { context }: Agent): boolean {
  const { guard, maxDiversions } = context.params
  return guard !== 'off' && diversions < maxDiversions
}
