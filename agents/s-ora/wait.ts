import { lines, signalsIn } from '../../harness/kit/index.js'
import type { Condition, Reading, WaitCondition } from '../../harness/contract/index.js'
import { remember } from './activity.js'
import { heardOf, sees, textsOf } from './focus.js'
import type { Activity, Agent, Next, Suspension } from './activity.js'
import { perceive } from './perception.js'
import { advance } from './progress.js'

export interface WaitEnd {
  reason: 'signal' | 'condition' | 'timeout'
  signals: string[]
}

/**
 * Begins a wait; whether it is over already is for the next look to say. Without suspension there is none: the activity
 * goes on observing, and each look costs a cycle.
 */
export function suspend(activity: Activity, agent: Agent, asked: WaitCondition): Next {
  const { suspension, timeouts, waitTimeoutMs, maxWaitMs, resyncMs } = agent.context.params
  activity.intention = null
  if (!suspension) return 'observation'
  const now = agent.context.now()
  const timeoutMs = timeouts ? Math.min(asked.timeoutMs ?? waitTimeoutMs, maxWaitMs) : null
  const condition = { ...asked, timeoutMs }
  advance(activity)
  activity.suspension = {
    condition,
    deadline: timeoutMs === null ? null : now + timeoutMs,
    resyncAt: resyncMs === null ? null : now + resyncMs,
  }
  agent.context.note(activity.door.uuid, { kind: 'suspend', ...condition })
  return 'waiting'
}

/** A wait that nothing could end but its time-out is none. */
export function conditionOf({ wait }: { wait: WaitCondition | null }): WaitCondition | null {
  return wait === null || (wait.signals.length === 0 && wait.when === null) ? null : wait
}

/** Why nothing but its time-out would end a wait; null where something may. Only documents that were read are told of. */
export function endless(
  { signals, when }: WaitCondition,
  activity: Activity,
  { context }: Agent,
): { what: string; detail: string } | null {
  const { suspension, wakeOnAnySignal } = context.params
  const { door, narrowed } = activity
  const focused = door.focused()
  if (!suspension || (wakeOnAnySignal && focused.length > 0)) return null
  if (when !== null && focused.includes(when.tool) && sees(activity, when.tool, when.property)) return null
  // A tool whose documents are unread may signal what nobody has read of.
  const mayCome = (tool: string, name: string): boolean => {
    const texts = textsOf(activity, tool)
    return texts.length === 0 || texts.some((text) => text.includes(`\`${name}\``))
  }
  const hears = (tool: string, name: string): boolean => heardOf(activity, tool)?.has(name) ?? mayCome(tool, name)
  if (signals.some((name) => focused.some((tool) => hears(tool, name)))) return null

  const mutes = (name: string): boolean => focused.every((tool) => heardOf(activity, tool)?.has(name) === false)
  const muted = narrowed.size > 0 ? signals.find(mutes) : undefined
  if (muted !== undefined) {
    const detail = `The focus is narrowed to other signals: ${JSON.stringify(muted)} would never be heard.`
    return { what: 'unheard_signal', detail }
  }
  if (when !== null && signals.length === 0) {
    const what = focused.includes(when.tool) ? `${when.tool}.${when.property}` : when.tool
    const detail = `"when" can be seen only for what is in focus, and ${JSON.stringify(what)} is not.`
    return { what: 'unobserved_condition', detail }
  }
  const known = [...new Set(focused.flatMap((tool) => textsOf(activity, tool).flatMap(signalsIn)))]
  const told =
    known.length === 0 ? 'no document that was read names a signal of a tool in focus' : `known: ${known.join(', ')}`
  const named = signals.map((name) => JSON.stringify(name)).join(', ')
  return { what: 'endless_wait', detail: `No tool in focus would signal ${named}; ${told}.` }
}

/** Decides by code whether a suspension is over; at its time-out the log is read before that counts. */
export async function look(activity: Activity, agent: Agent, suspension: Suspension): Promise<WaitEnd | null> {
  const now = agent.context.now()
  const { resyncMs } = agent.context.params
  const end = await met(activity, agent, suspension.condition)
  if (end !== null) return end
  const timedOut = suspension.deadline !== null && now >= suspension.deadline
  const due = suspension.resyncAt !== null && now >= suspension.resyncAt
  if (!timedOut && !due) return null
  await activity.door.resync()
  if (resyncMs !== null) suspension.resyncAt = now + resyncMs
  return (await met(activity, agent, suspension.condition)) ?? (timedOut ? { reason: 'timeout', signals: [] } : null)
}

/** When the runtime has to look again although nothing rings. */
export function nextLook({ deadline, resyncAt }: Suspension): number {
  return Math.min(deadline ?? Infinity, resyncAt ?? Infinity)
}

/** Takes an activity out of its suspension and tells why. */
export function wake(activity: Activity, agent: Agent, suspension: Suspension, end: WaitEnd): void {
  const { signals, when } = suspension.condition
  activity.suspension = null
  agent.context.note(activity.door.uuid, { kind: 'wake', ...end })
  const waited = { signals, ...(when !== null && { when: conditionFact(when) }) }
  const at = agent.context.now()
  remember(activity, at, [lines.wait.write({ waited, ended: end.reason, at })])
}

async function met(activity: Activity, agent: Agent, { signals, when }: WaitCondition): Promise<WaitEnd | null> {
  const arrived = await activity.door.pending()
  const relevant = arrived.filter(({ signal }) => agent.context.params.wakeOnAnySignal || signals.includes(signal))
  if (relevant.length > 0) return { reason: 'signal', signals: relevant.map(({ signal }) => signal) }
  if (when !== null && holds(when, await perceive(activity, agent))) return { reason: 'condition', signals: [] }
  return null
}

function conditionFact({ tool, property, op, value }: Condition): Condition {
  return { tool, property, op, value }
}

const comparisons: Record<Exclude<Condition['op'], 'is'>, (actual: number, value: number) => boolean> = {
  below: (actual, value) => actual < value,
  above: (actual, value) => actual > value,
  at_least: (actual, value) => actual >= value,
  at_most: (actual, value) => actual <= value,
}

/** A property that is not observed, or could not be read, holds nothing. */
export function holds({ tool, property, op, value }: Condition, readings: readonly Reading[]): boolean {
  const known = readings.find((reading) => reading.tool === tool && reading.notRead === undefined)
  const actual = known?.properties[property]?.value
  if (actual === undefined) return false
  if (op === 'is') return actual === value
  return typeof actual === 'number' && typeof value === 'number' && comparisons[op](actual, value)
}
