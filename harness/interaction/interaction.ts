import { prompt } from '../define/index.js'
import type { Trace } from '../define/index.js'
import { acknowledgements, beforeEnd, firstOf, recordsOf, roleFinder } from '../trace/select.js'
import type { Cycle } from './artifacts.js'
import { callOf } from './calls.js'
import { createCycles } from './cycles.js'
import type { ReplayKey } from './cycles.js'
import { toolsetOf } from './tools.js'

/** What one activity did, in the terms of the interaction algebra (docs/algebra.md). */
export interface Interaction {
  role: string
  activity: string
  /** T_1 … T_n by name. */
  tools: readonly string[]
  cycles: readonly Cycle[]
  /** No part of the paper: what replay needs beside the four artifacts. */
  replayKey: ReplayKey
}

/** Every activity of a trial, in the order of its roles, and within a role of their first records. */
export function interactionsOf(trace: Trace): Interaction[] {
  const roles = firstOf(trace, 'trial')?.roles.map(({ name }) => name) ?? []
  const roleOf = roleFinder(trace)
  const found = new Map<string, string>()
  for (const record of beforeEnd(trace)) {
    const { activity } = record
    if (activity !== null && !found.has(activity)) found.set(activity, roleOf(record) ?? '')
  }
  return [...found]
    .toSorted(([, a], [, b]) => roles.indexOf(a) - roles.indexOf(b))
    .map(([activity, role]) => read(trace, { activity, role }))
}

/** The interaction of one activity, or of the first; null where there is none. */
export function interactionOf(trace: Trace, activity?: string): Interaction | null {
  const all = interactionsOf(trace)
  return all.find((interaction) => activity === undefined || interaction.activity === activity) ?? null
}

function read(trace: Trace, { activity, role }: { activity: string; role: string }): Interaction {
  const goal = goalOf(trace, activity, role)
  const acks = acknowledgements(trace)
  const tools = toolsetOf(trace, activity)
  const cycles = createCycles({ goal, signals: recordsOf(trace, 'signal') })
  for (const record of beforeEnd(trace)) {
    if (record.activity === activity) cycles.take(record, callOf(record, tools, acks))
  }
  return { role, activity, tools: tools.names, ...cycles.close() }
}

/** Where a role has several goals, those that the activity took on. */
function goalOf(trace: Trace, activity: string, role: string): string | null {
  const pursued = recordsOf(trace, 'pursue').find((record) => record.activity === activity)?.goals
  const told = recordsOf(trace, 'goal').filter((record) => record.role === role && pursued?.includes(record.goal))
  if (told.length > 0) return prompt.goalText(told.map(({ text }) => text))
  return firstOf(trace, 'trial')?.roles.find(({ name }) => name === role)?.goal ?? null
}
