import { InfrastructureError } from '../contract/index.js'
import type { Clock, ClockEnd, Outcome, Recorder } from '../contract/index.js'
import type { Session } from '../door/session.js'
import type { LiveWorld } from '../world/live.js'
import { hashOf } from './memory.js'
import type { TrialMemory } from './memory.js'

/** How long after the last agent's end a world may go on by itself, in virtual ms. */
const SETTLE_MS = 3_600_000

/** A budget was spent, or the model's context was full. */
export type Exhausted = 'out_of_budget' | 'out_of_context'

/** A trial whose clock has stopped. */
export interface Played {
  clock: Clock
  record: Recorder
  /** Null where it never opened, and where the clock never ran to an end. */
  world: LiveWorld | null
  end: ClockEnd | null
  /** What the world, or the harness, threw; null: nothing. */
  broken: unknown
  limit: Exhausted | null
  memory: TrialMemory
  sessions: readonly Session[]
}

/** Ends the trace of a trial: errors, what was kept, the end, what the world then became, the verdict. */
export async function conclude(played: Played): Promise<void> {
  const { clock, record, world, end, limit, memory, sessions } = played
  let { broken } = played
  let reached = false
  try {
    reached = world?.reached() ?? false
  } catch (error) {
    broken ??= error
  }
  const failed = end?.failed ?? []
  const infrastructure = broken !== null || failed.some(({ error }) => error instanceof InfrastructureError)
  for (const { process, error } of failed)
    if (error !== broken) report(record, process, error, error instanceof InfrastructureError)
  if (broken !== null) report(record, 'world', broken, true)
  const fault = broken !== null || failed.length > 0 || end === null
  const how = fault ? 'failed' : (limit ?? (end.how === 'stopped' ? 'failed' : end.how))
  for (const [role, value] of memory.kept) record({ kind: 'kept', hash: hashOf(JSON.stringify(value)) }, { role })
  record({ kind: 'end', how })
  // Nobody listens any more: a doorbell under way must not keep the world from coming to rest.
  for (const session of sessions) await session.close()
  const violations = [...(world?.violations() ?? [])]
  const complete = reached && (world?.allMustEnd !== true || how === 'ended')
  const outcome = outcomeOf({ how, infrastructure, reached: complete, violations })
  if (world !== null && !infrastructure) settle(world, clock, record)
  record({ kind: 'verdict', outcome, reached, solved: outcome === 'solved', violations })
}

/** What becomes of the world when everybody has left it. */
function settle(world: LiveWorld, clock: Clock, record: Recorder): void {
  let reached = false
  try {
    clock.settle(clock.now() + SETTLE_MS)
    reached = world.reached()
  } catch (error) {
    report(record, 'world', error, false)
  }
  record({ kind: 'settled', reached, violations: [...world.violations()] })
}

/**
 * From the world's state alone when the trial ended (docs/design.md#metrics); only where that is no verdict does the way of
 * ending count. What cannot be trusted comes first: infrastructure, then a crashed agent, then harm, then success.
 */
export function outcomeOf(ending: {
  how: ClockEnd['how'] | Exhausted | 'failed'
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

function report(record: Recorder, where: string, error: unknown, infrastructure: boolean): void {
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
