import { TRACE_VERSION, speedOf } from '../contract/index.js'
import type { ClockEnd, Recorder, Role, TraceRecord, TrialIdentity } from '../contract/index.js'
import { hostProgram } from '../door/program/host.js'
import { openSession } from '../door/session.js'
import type { Session } from '../door/session.js'
import { createLedger } from '../model/metered.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { createWallClock } from '../sim/wall-clock.js'
import { createTrace } from '../trace/records.js'
import type { LiveWorld } from '../world/live.js'
import { openWorld } from '../world/open.js'
import { conclude } from './conclusion.js'
import type { Exhausted } from './conclusion.js'
import { createContext } from './context.js'
import type { Seat, TrialParts } from './context.js'
import { checkGoals, wholeGoal } from './goals.js'
import { freshMemory } from './memory.js'
import { splitWorldParams } from './params.js'
import { memberOf, seatedAt } from './team.js'

/** The agent of a seat plays its part: in this process, or as a program of its own. */
async function playPart(seat: Seat): Promise<void> {
  const context = createContext(seat)
  const { agent, identity } = seat
  if (agent.program === undefined) return agent.run(context)
  const speed = speedOf(identity.clock)
  if (speed === null) throw new Error(`${agent.name} is a program: on the virtual clock it cannot play.`)
  return hostProgram(agent.program, context, { ...seat, speed })
}

/**
 * Runs one trial and returns its trace. Whatever goes wrong inside is an outcome in the trace; this rejects only for
 * bugs of the harness itself.
 */
export async function runTrial(identity: TrialIdentity, parts: TrialParts): Promise<TraceRecord[]> {
  const speed = speedOf(identity.clock)
  const clock = speed === null ? createVirtualClock() : createWallClock({ speed })
  const { record, records } = createTrace(() => clock.now())
  const seeded = createRandom(identity.scenario.seed)
  const random = identity.replica === 0 ? seeded : seeded.fork('replica', identity.replica)
  const ledger = createLedger(identity.cache)
  const memory = parts.memory ?? freshMemory()
  const sessions: Session[] = []
  const closers: (() => Promise<void>)[] = []
  const activities = new Map<string, string>()
  const recordOfWorld: Recorder = (happening, who) => {
    const role = activities.get(who?.activity ?? '')
    record(happening, role === undefined ? who : { ...who, role })
  }
  const { limits } = identity
  const onEnd = (close: () => Promise<void>): void => void closers.push(close)
  const { thinking } = parts
  const shared = { identity, parts, clock, record, random, thinking, limits, ledger, memory, activities, onEnd }
  let limit: Exhausted | null = null
  let operations = 0

  let broken: unknown = null
  /** What an environment's author wrote may throw, and the agent that called gets the error, too: it is the world's all the same. */
  const withWorldErrors =
    (live: LiveWorld): LiveWorld['execute'] =>
    (call) => {
      try {
        return live.execute(call)
      } catch (error) {
        broken ??= error
        throw error
      }
    }

  const { world: params, delivery } = splitWorldParams(identity.scenario.params)
  let roles: Role[] = []
  try {
    const declared = parts.environment.roles(params, seeded.fork('roles'))
    for (const role of declared) checkGoals(role)
    roles = declared
  } catch (error) {
    broken = error
  }
  const cast = roles.map((role) => {
    const { name: agent, notes = {} } = memberOf(parts.agent, role.name)?.agent ?? parts.agent
    return { name: role.name, goal: wholeGoal(role), agent, notes }
  })
  record({ kind: 'trial', version: TRACE_VERSION, identity, roles: cast })

  let world: LiveWorld | null = null
  let end: ClockEnd | null = null
  try {
    if (broken !== null) throw broken
    // The world's tape hangs on the scenario alone, never on the replica.
    const opened = openWorld(parts.environment, {
      params,
      random: seeded.fork('world'),
      clock,
      record: recordOfWorld,
      roleOf: (activity) => activities.get(activity) ?? null,
      ...(delivery !== null && { catalogue: delivery }),
    })
    world = { ...opened, execute: withWorldErrors(opened) }
    for (const role of roles) sessions.push(await seat(role, world))
    end = await clock.run({ untilMs: identity.limits.virtualMs })
  } catch (error) {
    broken = error
  } finally {
    clock.stop()
  }
  for (const close of closers) await close()
  await conclude({ clock, record, world, end, broken, limit, memory, sessions })
  return records

  async function seat(role: Role, live: LiveWorld): Promise<Session> {
    const exhausted = (name: string, value: number): Promise<never> => {
      record({ kind: 'limit', limit: name, value }, { role: role.name })
      limit = name === 'context' ? 'out_of_context' : 'out_of_budget'
      clock.stop()
      return new Promise(() => {})
    }
    const admit = async (): Promise<void> => {
      if (++operations > identity.limits.operations) await exhausted('operations', identity.limits.operations)
    }
    const session = await openSession({
      world: live,
      clock,
      record,
      role: role.name,
      admit,
      ...(delivery !== null && { delivery: { params: delivery, random: seeded.fork('delivery') } }),
    })
    const { agent, params: agentParams } = seatedAt(parts.agent, role.name, identity.agentParams)
    clock.spawn(role.name, async (self) => {
      if ((role.startsAtMs ?? 0) > 0) await self.sleep(role.startsAtMs ?? 0)
      await playPart({ ...shared, world: live, role, agent, agentParams, self, session, exhausted })
    })
    return session
  }
}
