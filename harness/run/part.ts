import { speedOf } from '../define/index.js'
import { hostProgram } from '../external/host.js'
import { createContext } from './context.js'
import type { Seat } from './context.js'

/** The agent of a seat plays its part: in this process, or as a program of its own. */
export async function playPart(seat: Seat): Promise<void> {
  const context = createContext(seat)
  const { agent, identity, role, session } = seat
  if (agent.program === undefined) return agent.run(context)
  const speed = speedOf(identity.clock)
  if (speed === null) throw new Error(`${agent.name} is a program: on the virtual clock it cannot play.`)
  return hostProgram({
    agent: { name: agent.name, surface: agent.surface, program: agent.program },
    context,
    self: seat.self,
    bell: session.bell,
    watch: (listener) => session.watch(listener),
    record: (happening) => seat.record(happening, { role: role.name }),
    limits: identity.limits,
    seed: context.random.seed('program'),
    speed,
    onEnd: seat.onEnd,
  })
}
