import type { Agent, Clock, Context, JsonObject, Process, Question, Surface } from '../define/index.js'
import { seatsOf } from './team.js'

/** Who answers the questions of agents. `signal`: nobody waits any more. Null: no answer. */
export type Person = (question: Pick<Question, 'text' | 'choices'>, signal: AbortSignal) => Promise<string | null>

/** The way of a seat to the person. The answer takes as long as it really takes; the world goes on meanwhile. */
export function createAsking(seat: {
  person: Person
  clock: Clock
  self: Process
  onEnd: (close: () => Promise<void>) => void
}): Context<Surface, JsonObject>['askPerson'] {
  const { person, clock, self, onEnd } = seat
  return async ({ text, choices, timeoutMs }) => {
    const over = new AbortController()
    onEnd(() => Promise.resolve(over.abort()))
    const cancel = clock.after(timeoutMs, () => over.abort(), { ambient: true })
    const { value } = await self.think(async () => {
      const answer = await Promise.race([person({ text, choices }, over.signal), aborted(over.signal)])
      return { value: answer, lastsMs: 0 }
    })
    cancel()
    return value
  }
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** The first of those who play, an agent itself or the members of a team, that asks a person; else null. */
export function askerAmong(agent: Agent, params: JsonObject): Agent | null {
  return seatsOf(agent, params).find((seat) => seat.agent.asksPerson?.(seat.params) === true)?.agent ?? null
}
