import { hash } from 'node:crypto'
import { UserError } from '../contract/index.js'
import type { Agent, Happening, Json, JsonObject, Lifetime, Trace } from '../contract/index.js'
import type { ThinkingSeat } from '../model/metered.js'
import { textsIn } from '../model/recorded.js'
import { seatsOf } from './team.js'

/** What the roles of a trial bring from earlier ones, and what they leave. */
export interface TrialMemory {
  given: Readonly<Record<string, Json>>
  kept: Map<string, Json>
}

export const freshMemory = (given: Readonly<Record<string, Json>> = {}): TrialMemory => ({ given, kept: new Map() })

export const lifetimeOf = (agent: Agent, params: JsonObject): Lifetime => agent.lifetime?.(params) ?? { kind: 'trial' }

/** Those of all who may have a seat; a team's members may differ. */
export function lifetimesOf(agent: Agent, params: JsonObject): Lifetime[] {
  return seatsOf(agent, params).map((seat) => lifetimeOf(seat.agent, seat.params))
}

/** Throws where members of a team would keep what they remember in different places: a trial has one. */
export function checkLifetimes(agent: Agent, params: JsonObject): void {
  const lasting = lifetimesOf(agent, params).filter(({ kind }) => kind !== 'trial')
  const places = new Set(lasting.map((lifetime) => (lifetime.kind === 'persistent' ? lifetime.path : 'the run')))
  if (places.size <= 1) return
  throw new UserError(
    `The members of ${agent.name} keep their memories in ${[...places].join(' and ')}. Give those that remember one lifetime, and one path.`,
  )
}

/** A value as a trace names it. */
export const hashOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

/** What one role recalls and keeps; both stand in the trace where its memory outlasts the trial. */
export function recollection(
  seat: Pick<ThinkingSeat, 'role' | 'ledger' | 'record'> & {
    agent: Agent
    agentParams: JsonObject
    memory: TrialMemory
  },
): { recall: () => Json; keep: (value: Json) => void } {
  const { memory, ledger } = seat
  const role = seat.role.name
  const record = (happening: Happening): void => seat.record(happening, { role })
  if (lifetimeOf(seat.agent, seat.agentParams).kind === 'trial') return { recall: () => null, keep: () => {} }
  let told = false
  return {
    recall() {
      const value = memory.given[role] ?? null
      if (!told) {
        told = true
        const text = JSON.stringify(value)
        record({ kind: 'remembered', hash: ledger.pool(text, (made) => record({ kind: 'text', hash: made, text })) })
      }
      return value
    },
    // As JSON would bring it back: what is changed later was not kept.
    keep: (value) => void memory.kept.set(role, JSON.parse(JSON.stringify(value))),
  }
}

/** What a recorded trial was given, so that it can be played again. */
export function givenIn(trace: Trace): Record<string, Json> {
  const texts = textsIn(trace)
  return Object.fromEntries(
    trace.flatMap((record): [string, Json][] => {
      if (record.kind !== 'remembered' || record.role === null) return []
      try {
        return [[record.role, JSON.parse(texts.get(record.hash) ?? '')]]
      } catch {
        throw new UserError(`The trace does not hold what ${record.role} remembered, so it cannot be played again.`)
      }
    }),
  )
}
