import { InfrastructureError } from '../define/index.js'
import type {
  Agent,
  ClockEnd,
  Environment,
  Outcome,
  Recorder,
  Role,
  TraceRecord,
  TrialIdentity,
} from '../define/index.js'
import { TRACE_VERSION } from '../define/index.js'
import { openSession } from '../mcp/session.js'
import type { Session } from '../mcp/session.js'
import type { ChatModel } from '../model/chat.js'
import { createLedger } from '../model/ledger.js'
import type { ThinkingPolicy } from '../model/thinking.js'
import { createRandom } from '../time/random.js'
import { createVirtualClock } from '../time/virtual-clock.js'
import { createTrace } from '../trace/trace.js'
import { openWorld } from '../world/open.js'
import type { LiveWorld } from '../world/live.js'
import { createContext } from './context.js'

/** What a trial needs beside its identity. */
export interface TrialParts {
  environment: Environment
  agent: Agent
  /** Null where the agent asks no model. */
  chat: ChatModel | null
  thinking: ThinkingPolicy
}

/** How long after the last agent's end a world may go on by itself, in virtual ms. */
const SETTLE_MS = 3_600_000

/**
 * Runs one trial and returns its trace. Whatever goes wrong inside is an outcome in the trace; this rejects only for
 * bugs of the harness itself.
 */
export async function runTrial(identity: TrialIdentity, parts: TrialParts): Promise<TraceRecord[]> {
  const clock = createVirtualClock()
  const { record, records } = createTrace(() => clock.now())
  const seeded = createRandom(identity.scenario.seed)
  const random = identity.replica === 0 ? seeded : seeded.fork('replica', identity.replica)
  const ledger = createLedger()
  const sessions: Session[] = []
  const activities = new Map<string, string>()
  const recordOfWorld: Recorder = (happening, who) => {
    const role = activities.get(who?.activity ?? '')
    record(happening, role === undefined ? who : { ...who, role })
  }
  let limit: 'out_of_budget' | null = null

  const roles = parts.environment.roles(identity.scenario.params)
  record({
    kind: 'trial',
    version: TRACE_VERSION,
    identity,
    roles: roles.map(({ name, goal }) => ({ name, goal, agent: identity.agent })),
  })

  let world: LiveWorld | null = null
  let end: ClockEnd | null = null
  let broken: unknown = null
  try {
    // The world's tape hangs on the scenario alone, never on the replica.
    const { params } = identity.scenario
    world = openWorld(parts.environment, { params, random: seeded.fork('world'), clock, record: recordOfWorld })
    for (const role of roles) sessions.push(await seat(role, world))
    end = await clock.run({ untilMs: identity.limits.virtualMs })
  } catch (error) {
    broken = error
  } finally {
    clock.stop()
  }
  return conclude()

  async function seat(role: Role, live: LiveWorld): Promise<Session> {
    let operations = 0
    const exhausted = (name: string, value: number): Promise<never> => {
      record({ kind: 'limit', limit: name, value }, { role: role.name })
      limit = 'out_of_budget'
      clock.stop()
      return new Promise(() => {})
    }
    const admit = async (): Promise<void> => {
      if (++operations > identity.limits.operations) await exhausted('operations', identity.limits.operations)
    }
    const session = await openSession({ world: live, clock, record, role: role.name, admit })
    clock.spawn(role.name, (self) =>
      parts.agent.run(
        createContext({
          identity,
          role,
          self,
          clock,
          session,
          record,
          random,
          world: live,
          parts,
          ledger,
          activities,
          exhausted,
        }),
      ),
    )
    return session
  }

  async function conclude(): Promise<TraceRecord[]> {
    const failure = broken ?? end?.failed[0]?.error ?? null
    const infrastructure =
      broken !== null || end?.failed.some(({ error }) => error instanceof InfrastructureError) === true
    for (const { process, error } of end?.failed ?? [])
      reportError(record, process, error, error instanceof InfrastructureError)
    if (broken !== null) reportError(record, 'world', broken, true)
    const how = failure !== null ? 'failed' : (limit ?? (end === null || end.how === 'stopped' ? 'failed' : end.how))
    record({ kind: 'end', how })
    const reached = world?.reached() ?? false
    const violations = [...(world?.violations() ?? [])]
    const outcome = outcomeOf({ how, infrastructure, reached, violations })
    if (world !== null && !infrastructure) {
      try {
        clock.settle(clock.now() + SETTLE_MS)
      } catch (error) {
        reportError(record, 'world', error, false)
      }
      record({ kind: 'settled', reached: world.reached(), violations: [...world.violations()] })
    }
    record({ kind: 'verdict', outcome, reached, solved: outcome === 'solved', violations })
    for (const session of sessions) await session.close()
    return records
  }
}

/**
 * From the world's state alone when the trial ended (DESIGN §5, §9); only where that is no verdict does the way of
 * ending count. What cannot be trusted comes first: infrastructure, then a crashed agent, then harm, then success.
 */
export function outcomeOf(ending: {
  how: ClockEnd['how'] | 'out_of_budget' | 'failed'
  infrastructure: boolean
  reached: boolean
  violations: readonly string[]
}): Outcome {
  if (ending.infrastructure) return 'infrastructure_error'
  if (ending.how === 'failed' || ending.how === 'stopped') return 'agent_error'
  if (ending.violations.length > 0) return 'violated'
  if (ending.reached) return 'solved'
  return ending.how === 'ended' ? 'unsolved' : ending.how
}

function reportError(record: Recorder, where: string, error: unknown, infrastructure: boolean): void {
  const known = error instanceof Error
  record({
    kind: 'error',
    where,
    message: known ? error.message : String(error),
    // An infrastructure error is news from outside; its stack says nothing and is not stable.
    stack: known && !(error instanceof InfrastructureError) ? (error.stack ?? null) : null,
    infrastructure,
  })
}
