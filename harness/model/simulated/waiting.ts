import type { Process } from './process.js'
import { lastOperationAt } from './context.js'
import type { Context, Step } from './context.js'
import { asCondition } from './rule.js'
import type { BoundRule } from './rule.js'

/** The step that learns whether a rule holds; null where no verb could tell more than is known. */
export function look({ facts, verbs }: Context, { tool }: BoundRule): Step {
  if (verbs.has('focus')) return facts.focused.has(tool) ? null : { do: 'focus', tools: [tool] }
  if (!verbs.has('observe')) return null
  const acted = facts.events.findLastIndex(({ kind }) => kind === 'operated')
  const looked = facts.events.findLastIndex((event) => event.kind === 'looked' && event.tools.includes(tool))
  return looked > acted ? null : { do: 'observe', tools: [tool] }
}

/** The step that lets time pass until a rule may hold; null where no verb does. `process` is what brings it about. */
export function waitFor(context: Context, rule: BoundRule, process: Process | null): Step {
  const { facts, verbs } = context
  const since = Math.max(process?.startedAt ?? 0, lastOperationAt(context))
  const watched = toolsToWatch(context, rule)
  const unfocused = watched.filter((tool) => !facts.focused.has(tool))
  if (verbs.has('focus') && unfocused.length > 0) return { do: 'focus', tools: unfocused }
  if (verbs.has('wait')) return wait(context, rule, process, since)
  if (!verbs.has('observe')) return null
  const last = facts.events.findLast(
    (event) => event.at >= since && (event.kind === 'slept' || event.kind === 'looked' || event.kind === 'operated'),
  )
  const rested = last?.kind === 'slept' || !verbs.has('sleep')
  return rested ? { do: 'observe', tools: watched } : { do: 'sleep', ms: context.mind.profile.pollMs }
}

/** The maintained conditions of the goal, as far as they can be bound. */
function keptRules({ facts: { goal }, library }: Context): BoundRule[] {
  return goal.keep.flatMap((kept) => library.bindGoal(kept, goal) ?? [])
}

/** What is maintained may fail during any wait, on whatever tool it is. */
function toolsToWatch(context: Context, rule: BoundRule): string[] {
  return [...new Set([rule.tool, ...keptRules(context).map(({ tool }) => tool)])]
}

function wait(context: Context, rule: BoundRule, process: Process | null, since: number): Step {
  const { facts, verbs, library, mind } = context
  const own = process?.operation.completions.map(({ signal }) => signal) ?? []
  const awaited = own.length > 0 ? own : library.signalsAbout(rule)
  const alarms = keptRules(context).flatMap((kept) => library.signalsAbout(kept))
  const recent = facts.events.findLast(
    (event) => event.at >= since && (event.kind === 'waited' || event.kind === 'looked'),
  )
  const timedOut = recent?.kind === 'waited' && recent.ended === 'timeout'
  const stale = timedOut || (process === null && othersHaveTold(context, rule))
  if (stale && verbs.has('observe') && !verbs.has('focus')) return { do: 'observe', tools: toolsToWatch(context, rule) }
  const signals = [...new Set([...awaited, ...alarms])]
  return { do: 'wait', signals, when: asCondition(rule), timeoutMs: mind.profile.waitTimeoutMs }
}

/** Has a signal told, since the property was last seen, that somebody else may have moved it? */
function othersHaveTold({ facts: { events }, library }: Context, rule: BoundRule): boolean {
  const signals = library.signalsAbout(rule)
  const own = new Set(events.flatMap((event) => (event.kind === 'operated' ? event.operationId : null) ?? []))
  const told = events.findLastIndex(
    (event) => event.kind === 'signal' && signals.includes(event.signal) && !own.has(event.operationId ?? ''),
  )
  const seen = events.findLastIndex(
    (event) => event.kind === 'seen' && event.tool === rule.tool && event.property === rule.property,
  )
  return told > seen
}

/** How often it has looked, or has waited to the end, since a time. */
export function looksSince({ facts }: Context, since: number): number {
  return facts.events.filter(({ kind, at }) => at > since && (kind === 'looked' || kind === 'waited')).length
}

/**
 * No verb to observe or to wait, and something pending: to act as if it were done (null), to stall with harmless calls
 * and then act, or to give up.
 */
export function impasse(context: Context): Step {
  const { facts, verbs, mind, deferred } = context
  if (deferred !== null) {
    deferred.impasse = true
    return { do: 'sleep', ms: 0 }
  }
  if (mind.profile.impasse === 'act') return null
  if (mind.profile.impasse === 'give-up') return { do: 'claim', achieved: false }
  const acted = facts.events.findLastIndex(({ kind }) => kind === 'operated' || kind === 'failed')
  const stalled = facts.events.slice(acted + 1).filter(({ kind }) => kind === 'read').length
  const known = facts.documents.filter(({ state }) => state !== 'listed')
  const document = known[stalled % Math.max(1, known.length)]
  if (stalled >= mind.profile.stallCalls || document === undefined || !verbs.has('read')) return null
  return { do: 'read', document: document.id }
}
