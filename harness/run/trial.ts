import { speedOf } from '../define/index.js'
import type {
  Agent,
  ClockEnd,
  Environment,
  JsonObject,
  Random,
  Recorder,
  Role,
  TraceRecord,
  TrialIdentity,
} from '../define/index.js'
import { TRACE_VERSION } from '../define/index.js'
import { openSession } from '../mcp/session.js'
import type { Session } from '../mcp/session.js'
import type { ChatModel } from '../model/chat.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { createLedger } from '../model/ledger.js'
import type { ThinkingPolicy } from '../model/thinking.js'
import { createRandom } from '../time/random.js'
import { createVirtualClock } from '../time/virtual-clock.js'
import { createWallClock } from '../time/wall-clock.js'
import { createTrace } from '../trace/trace.js'
import { openWorld } from '../world/open.js'
import type { LiveWorld } from '../world/live.js'
import { conclude } from './conclusion.js'
import { playPart } from './part.js'
import { checkGoals, wholeGoal } from './goals.js'
import { freshMemory } from './memory.js'
import type { TrialMemory } from './memory.js'
import type { Person } from './person.js'
import { memberOf, seatedAt } from './team.js'
import { splitWorldParams } from './world-params.js'

/** What a trial needs beside its identity. */
export interface TrialParts {
  environment: Environment
  agent: Agent
  /** Null where the agent asks no model. */
  chat: ChatModel | null
  thinking: ThinkingPolicy
  /** For agents that use embeddings; absent: there are none. */
  embeddings?: EmbeddingModels
  /** What the roles bring from earlier trials, and where they leave what they keep; absent: nothing, and nowhere. */
  memory?: TrialMemory
  /** Whom an agent may ask, on the wall clock; absent: nobody. */
  person?: Person
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
  const ledger = createLedger()
  const memory = parts.memory ?? freshMemory()
  const sessions: Session[] = []
  const closers: (() => Promise<void>)[] = []
  const activities = new Map<string, string>()
  const recordOfWorld: Recorder = (happening, who) => {
    const role = activities.get(who?.activity ?? '')
    record(happening, role === undefined ? who : { ...who, role })
  }
  let limit: 'out_of_budget' | null = null
  let operations = 0

  let broken: unknown = null
  /** What an environment's author wrote may throw, and the agent that called hears of it, too: it is the world's error all the same. */
  const faithfully =
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
    roles = rolesOf(parts.environment, params, seeded)
  } catch (error) {
    broken = error
  }
  record({
    kind: 'trial',
    version: TRACE_VERSION,
    identity,
    roles: roles.map((role) => ({
      name: role.name,
      goal: wholeGoal(role),
      agent: memberOf(parts.agent, role.name)?.agent.name ?? identity.agent,
    })),
  })

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
    })
    world = { ...opened, execute: faithfully(opened) }
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
      limit = 'out_of_budget'
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
      await playPart({
        identity,
        role,
        agent,
        agentParams,
        self,
        clock,
        session,
        record,
        random,
        world: live,
        parts,
        ledger,
        memory,
        activities,
        exhausted,
        onEnd: (close) => closers.push(close),
      })
    })
    return session
  }
}

function rolesOf(environment: Environment, params: JsonObject, random: Random): Role[] {
  const roles = environment.roles(params, random.fork('roles'))
  for (const role of roles) checkGoals(role)
  return roles
}
