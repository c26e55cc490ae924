import type {
  Agent,
  Clock,
  Context,
  Environment,
  JsonObject,
  ModelAccess,
  Process,
  Random,
  Recorder,
  Role,
  Surface,
  ThoughtLength,
  TrialIdentity,
} from '../contract/index.js'
import type { Session } from '../door/session.js'
import type { ChatModel } from '../model/chat.js'
import { createEmbedder } from '../model/embedder.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { createThought, meter } from '../model/metered.js'
import type { Ledger } from '../model/metered.js'
import type { ThinkingPolicy } from '../model/thinking.js'
import { createRandom } from '../sim/random.js'
import type { LiveWorld } from '../world/live.js'
import { assignGoals, openingGoal } from './goals.js'
import { lifetimeOf, recollection } from './memory.js'
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
export interface Seat {
  identity: TrialIdentity
  role: Role
  agent: Agent
  agentParams: JsonObject
  self: Process
  clock: Clock
  session: Session
  record: Recorder
  random: Random
  world: LiveWorld
  parts: TrialParts
  ledger: Ledger
  memory: TrialMemory
  /** Activity → role, for the records of a world that knows activities alone. */
  activities: Map<string, string>
  /** Records the limit, ends the trial and never settles. */
  exhausted: (limit: string, value: number) => Promise<never>
  /** What it is given is called when the trial is over. */
  onEnd: (close: () => Promise<void>) => void
}

/** What the agent of a seat gets to see of the trial. */
export function createContext(seat: Seat): Context<Surface, JsonObject> {
  const { role, self, clock, session, record, random } = seat
  const assignment = assignGoals(role, { clock, bell: session.bell, record })
  const { recall, keep } = recollection({
    lifetime: lifetimeOf(seat.agent, seat.agentParams),
    memory: seat.memory,
    role: role.name,
    pool: (text, onNew) => seat.ledger.pool(text, onNew),
    record: (happening) => record(happening, { role: role.name }),
  })
  const who = (activity: string): { role: string; activity: string } => ({ role: role.name, activity })
  const begin = (name: string): string => {
    const uuid = random.uuid(role.name, name)
    seat.activities.set(uuid, role.name)
    return uuid
  }
  return {
    role: { name: role.name, goal: openingGoal(role) },
    goals: assignment.goals,
    params: seat.agentParams,
    model: modelOf(seat),
    random: random.fork('agent', role.name),
    now: () => clock.now(),
    open(name, goals = []) {
      const activity = begin(name)
      assignment.begin(activity, goals)
      return session.open(seat.agent.surface, activity, self)
    },
    bell: session.bell,
    async wait(timeoutMs) {
      session.assertAwaited()
      return self.wait(session.bell, timeoutMs)
    },
    async pause(delayMs) {
      session.assertAwaited()
      return self.sleep(delayMs)
    },
    askPerson: askingOf(seat),
    note: (activity, note) => record(note, who(activity)),
    claim(activity, claim, text) {
      record({ kind: 'claim', claim, text }, who(activity))
      assignment.claimed(activity, claim)
    },
    recall,
    keep,
    embed: embedderOf(seat),
    script: async ({ waitFor, think }) => {
      const activity = begin('script')
      const thought = think === undefined ? null : thoughtOf(seat, think, activity)
      await seat.world.oracle(await session.hand(activity, self, waitFor, thought))
    },
  }
}

/** The one place where thinking without a model is charged. */
function thoughtOf(seat: Seat, length: ThoughtLength, activity: string): () => Promise<void> {
  const { clock, self, record, role, random, ledger, exhausted, session, identity, parts } = seat
  const { thinking } = parts
  const { limits } = identity
  const think = createThought({ clock, self, thinking, record, role: role.name, random, limits, ledger, exhausted })
  return () => {
    session.assertAwaited()
    return think(length, activity)
  }
}

function embedderOf(seat: Seat): Context<Surface, JsonObject>['embed'] {
  const { agent, agentParams, parts, role, session } = seat
  const name = agent.embeddings?.(agentParams) ?? null
  if (name === null) {
    return () => Promise.reject(new Error(`${agent.name} asks for embeddings, but names no model for them.`))
  }
  const { clock, self, record, ledger, exhausted } = seat
  const { limits } = seat.identity
  const model = parts.embeddings?.(name)
  if (model === undefined) return () => Promise.reject(new Error(`This trial has no embeddings by "${name}".`))
  const embed = createEmbedder({ model, clock, self, record, role: role.name, limits, ledger, exhausted })
  return (activity, texts) => {
    session.assertAwaited()
    return embed(activity, texts)
  }
}

function askingOf({
  agent,
  agentParams,
  parts,
  clock,
  self,
  session,
  onEnd,
}: Seat): Context<Surface, JsonObject>['askPerson'] {
  if (agent.asksPerson?.(agentParams) !== true)
    return () => Promise.reject(new Error(`${agent.name} asks a person, but does not say so (asksPerson).`))
  const { person } = parts
  if (person === undefined) return () => Promise.reject(new Error('This trial has no person to ask.'))
  const ask = createAsking({ person, clock, self, onEnd })
  return (question) => {
    session.assertAwaited()
    return ask(question)
  }
}

function modelOf(seat: Seat): ModelAccess {
  const { chat, thinking } = seat.parts
  if (chat !== null) {
    const { self, clock, record, random, ledger, exhausted } = seat
    const { limits, replica, scenario } = seat.identity
    const seed = createRandom(scenario.seed).seed('model', seat.role.name)
    const metered = meter({
      chat,
      reader: { agent: seat.agent.name, seed, replica },
      clock,
      self,
      thinking,
      record,
      role: seat.role.name,
      random,
      limits,
      ledger,
      exhausted,
    })
    return {
      name: metered.name,
      ask(request) {
        seat.session.assertAwaited()
        return metered.ask(request)
      },
    }
  }
  return {
    name: 'none',
    ask: () => Promise.reject(new Error('This agent asks a model, but declares usesModel: false.')),
  }
}
