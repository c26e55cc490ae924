import type { Environment, Happening, JsonObject, Script } from '../../contract/index.js'
import { openSession } from '../../door/session.js'
import type { Session } from '../../door/session.js'
import { createRandom } from '../../sim/random.js'
import { createVirtualClock } from '../../sim/virtual-clock.js'
import type { LiveWorld } from '../../world/live.js'
import { openWorld } from '../../world/open.js'
import { watchEffects } from './effects.js'

/** A record without its number: who, when and what. */
export type Played = Happening & { at: number; role: string | null; activity: string | null }

export interface Play {
  world: LiveWorld
  records: Played[]
  how: 'ended' | 'deadlocked' | 'out_of_time' | 'stopped'
  /** Reached, and never a violation. */
  solved: boolean
  violations: readonly string[]
  /** Virtual time (ms) when the last script ended, and when nothing was left to happen. */
  endedAt: number
  settledAt: number
  /** Declared effects that did not hold. */
  brokenEffects: string[]
}

/** Thirty days: beyond any world that comes to rest. To reach it is a finding. */
export const HORIZON_MS = 30 * 24 * 3_600_000

/** The same for all seeds, so that two plays differ by what their worlds do and by nothing else. */
const scripts = createRandom('script')

export interface Scenario {
  environment: Environment
  params: JsonObject
  seed: string
}

/** Runs a script of a world over the real wire, from the seat of each role: the world's server, doors, the virtual clock. */
export async function play(
  { environment, params, seed }: Scenario,
  choose: (world: LiveWorld) => Script,
): Promise<Play> {
  const clock = createVirtualClock()
  const random = createRandom(seed)
  const records: Played[] = []
  const values = environment.params.parse(params)
  const effects = watchEffects()
  const record = (happening: Happening, who: { role?: string; activity?: string } = {}) => {
    records.push({ ...happening, at: clock.now(), role: who.role ?? null, activity: who.activity ?? null })
    effects.record(happening)
  }
  const roles = environment.roles(values, random.fork('roles'))
  const activities = new Map(roles.map(({ name }) => [scripts.uuid(name), name]))
  const roleOf = (activity: string) => activities.get(activity) ?? null
  const opened = openWorld(environment, { params: values, random: random.fork('world'), clock, record, roleOf })
  const world = effects.watch(opened)
  const sessions: Session[] = []
  for (const { name, startsAtMs = 0 } of roles) {
    const session = await openSession({ world, clock, record, role: name })
    sessions.push(session)
    clock.spawn(name, async (self) => {
      if (startsAtMs > 0) await self.sleep(startsAtMs)
      await choose(world)(await session.hand(scripts.uuid(name), self, 'signal'))
    })
  }
  const { how, failed } = await clock.run({ untilMs: HORIZON_MS })
  for (const { error } of failed) throw error
  const endedAt = clock.now()
  const settledAt = clock.settle(HORIZON_MS)
  for (const session of sessions) await session.close()
  const violations = world.violations()
  return {
    world,
    records,
    how,
    solved: world.reached() && violations.length === 0 && (!world.allMustEnd || how === 'ended'),
    violations,
    endedAt,
    settledAt,
    brokenEffects: effects.broken,
  }
}
