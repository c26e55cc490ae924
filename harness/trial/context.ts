import type { Agent, Context, Environment, JsonObject, Role, Surface, TrialIdentity } from '../contract/index.js'
import type { Session } from '../door/session.js'
import type { ChatModel } from '../model/chat.js'
import { createEmbedder } from '../model/embedder.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { createThought, meter } from '../model/metered.js'
import type { ThinkingSeat } from '../model/metered.js'
import type { ThinkingPolicy } from '../model/thinking.js'
import { createRandom } from '../sim/random.js'
import type { LiveWorld } from '../world/live.js'
import { assignGoals, openingGoal } from './goals.js'
import { recollection } from './memory.js'
import type { TrialMemory } from './memory.js'
import { createAsking } from './team.js'
import type { Person } from './team.js'

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

/** One seat in a trial: a role, its process, and what it shares with the others. */
export interface Seat extends ThinkingSeat {
  identity: TrialIdentity
  role: Role
  agent: Agent
  agentParams: JsonObject
  session: Session
  world: LiveWorld
  parts: TrialParts
  memory: TrialMemory
  /** Activity → role, for the records of a world that knows activities alone. */
  activities: Map<string, string>
  /** What it is given is called when the trial is over. */
  onEnd: (close: () => Promise<void>) => void
}

type SeatContext = Context<Surface, JsonObject>

/** What the agent of a seat gets to see of the trial. */
export function createContext(seat: Seat): SeatContext {
  const { role, agent, agentParams, self, clock, session, record, random } = seat
  const assignment = assignGoals(role, { clock, bell: session.bell, record })
  const who = (activity: string): { role: string; activity: string } => ({ role: role.name, activity })
  const begin = (name: string): string => {
    const uuid = random.uuid(role.name, name)
    seat.activities.set(uuid, role.name)
    return uuid
  }
  /** Whatever may take its time: to be asked only when nothing is under way. */
  const inTurn =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      session.assertAwaited()
      return work(...given)
    }
  const model = modelOf(seat)
  return {
    role: { name: role.name, goal: openingGoal(role) },
    goals: assignment.goals,
    params: agentParams,
    model: { name: model.name, ask: inTurn((request) => model.ask(request)) },
    random: random.fork('agent', role.name),
    now: () => clock.now(),
    open(name, goals = []) {
      const activity = begin(name)
      assignment.begin(activity, goals)
      return session.open(agent.surface, activity, self)
    },
    bell: session.bell,
    wait: inTurn((timeoutMs) => self.wait(session.bell, timeoutMs)),
    pause: inTurn((delayMs) => self.sleep(delayMs)),
    askPerson: inTurn(askingOf(seat)),
    note: (activity, note) => record(note, who(activity)),
    claim(activity, claim, text) {
      record({ kind: 'claim', claim, text }, who(activity))
      assignment.claimed(activity, claim)
    },
    ...recollection(seat),
    embed: inTurn(embedderOf(seat)),
    script: async ({ waitFor, think }) => {
      const activity = begin('script')
      // The one place where thinking without a model is charged.
      const thought = createThought(seat)
      const pause = think === undefined ? null : inTurn(() => thought(think, activity))
      await seat.world.oracle(await session.hand(activity, self, waitFor, pause))
    },
  }
}

const refusing = (sentence: string) => (): Promise<never> => Promise.reject(new Error(sentence))

function modelOf(seat: Seat): SeatContext['model'] {
  const { chat } = seat.parts
  if (chat === null) return { name: 'none', ask: refusing('This agent asks a model, but declares usesModel: false.') }
  const { replica, scenario } = seat.identity
  const seed = createRandom(scenario.seed).seed('model', seat.role.name)
  return meter(chat.at?.(seat.role.name) ?? chat, { ...seat, reader: { agent: seat.agent.name, seed, replica } })
}

function embedderOf(seat: Seat): SeatContext['embed'] {
  const { agent, agentParams, parts } = seat
  const name = agent.embeddings?.(agentParams) ?? null
  if (name === null) return refusing(`${agent.name} asks for embeddings, but names no model for them.`)
  const model = parts.embeddings?.(name)
  return model === undefined ? refusing(`This trial has no embeddings by "${name}".`) : createEmbedder(model, seat)
}

function askingOf(seat: Seat): SeatContext['askPerson'] {
  const { agent, agentParams, parts } = seat
  if (agent.asksPerson?.(agentParams) !== true)
    return refusing(`${agent.name} asks a person, but does not say so (asksPerson).`)
  if (parts.person === undefined) return refusing('This trial has no person to ask.')
  return createAsking(parts.person, seat)
}
