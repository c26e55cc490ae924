import type { z } from 'zod'
import type {
  Agent,
  Context,
  Delivery,
  Environment,
  Json,
  ModelAccess,
  ModelAnswer,
  ModelRequest,
  Process,
  Question,
  Surface,
  TraceRecord,
} from '../contract/index.js'
import type { Wire } from '../door/connection.js'
import { openSession } from '../door/session.js'
import { createRandom } from '../sim/random.js'
import { createVirtualClock } from '../sim/virtual-clock.js'
import { createTrace } from '../trace/records.js'
import { assignGoals, openingGoal } from '../trial/goals.js'
import { openWorld } from '../world/open.js'

/** What the scripted model answers, and in which phase it expects to be asked. */
export interface Answer {
  phase: string
  /** A string as it is, anything else as JSON. */
  says?: Json
  /** Arguments as text are passed on as they are. */
  calls?: [name: string, args: Json][]
  finish?: string
  /** Virtual ms; 1 000 by default. */
  takesMs?: number
}

export interface Play {
  records: TraceRecord[]
  prompts: ModelRequest[]
  how: string
  reached: boolean
  violations: readonly string[]
  /** The last value that `keep` was given. */
  kept: Json
}

/** Lets an agent meet a world over the real door, with a model that answers from a list. Answers left over are errors. */
export async function playAgent<S extends Surface, P extends z.ZodObject, E extends z.ZodObject>(stage: {
  agent: Agent<S, P>
  environment: Environment<E>
  params?: z.input<P>
  worldParams?: z.input<E>
  script?: readonly Answer[]
  seed?: string
  untilMs?: number
  wire?: () => Wire
  /** Faults of the doorbells. */
  delivery?: Delivery
  /** What `recall` gives. */
  remembered?: Json
  /** What a person says to a question (null: nothing), and after how long. */
  person?: (question: Question) => { says: string | null; afterMs: number }
  /** The vector of a text. */
  embed?: (text: string) => number[]
}): Promise<Play> {
  const { agent, environment, script = [], untilMs = 3_600_000 } = stage
  const random = createRandom(stage.seed ?? 'rig')
  const clock = createVirtualClock()
  const { record, records } = createTrace(() => clock.now())
  const worldParams = environment.params.parse(stage.worldParams ?? {})
  const world = openWorld(environment, { params: worldParams, random: random.fork('world'), clock, record })
  const [role] = environment.roles(worldParams, random.fork('roles'))
  if (role === undefined) throw new Error(`${environment.name} has no role.`)
  const { wire } = stage
  const delivery = stage.delivery && { params: stage.delivery, random: random.fork('delivery') }
  const session = await openSession({ world, clock, record, role: role.name, wire, delivery })
  const prompts: ModelRequest[] = []
  let kept: Json = null
  const params = agent.params.parse(stage.params ?? {})

  clock.spawn(role.name, (self) => {
    const assignment = assignGoals(role, { clock, bell: session.bell, record })
    const context: Context<S, z.output<P>> = {
      role: { name: role.name, goal: openingGoal(role) },
      goals: assignment.goals,
      params,
      model: scripted(script, prompts, self),
      random: random.fork('agent'),
      now: () => clock.now(),
      open(name, goals = []) {
        assignment.begin(random.uuid(name), goals)
        return session.open(agent.surface, random.uuid(name), self)
      },
      bell: session.bell,
      wait: (timeoutMs) => self.wait(session.bell, timeoutMs),
      pause: (delayMs) => self.sleep(delayMs),
      async askPerson(question) {
        const { says, afterMs } = stage.person?.(question) ?? { says: null, afterMs: question.timeoutMs }
        await self.sleep(Math.min(afterMs, question.timeoutMs))
        return afterMs < question.timeoutMs ? says : null
      },
      note: (activity, note) => record(note, { role: role.name, activity }),
      recall: () => stage.remembered ?? null,
      embed: (_activity, texts) => Promise.resolve(texts.map((text) => stage.embed?.(text) ?? [])),
      keep(value) {
        kept = structuredClone(value)
      },
      claim(activity, claim, text) {
        record({ kind: 'claim', claim, text }, { role: role.name, activity })
        assignment.claimed(activity, claim)
      },
      script: async ({ waitFor, think }) => {
        const thought = think === undefined ? null : () => self.sleep(1_000)
        await world.oracle(await session.hand(random.uuid('script'), self, waitFor, thought))
      },
    }
    return agent.run(context)
  })
  const end = await clock.run({ untilMs })
  clock.stop()
  await session.close()
  for (const { error } of end.failed) throw error
  if (prompts.length < script.length)
    throw new Error(`${script.length - prompts.length} scripted answers were never asked for.`)
  return { records, prompts, how: end.how, reached: world.reached(), violations: world.violations(), kept }
}

function scripted(script: readonly Answer[], prompts: ModelRequest[], self: Process): ModelAccess {
  return {
    name: 'scripted',
    async ask(request) {
      const answer = script[prompts.length]
      if (answer === undefined) throw new Error(`The script ends before a question in phase ${request.phase}.`)
      if (answer.phase !== request.phase) {
        throw new Error(
          `Question ${prompts.length + 1} comes in phase ${request.phase}, the script expects ${answer.phase}.`,
        )
      }
      prompts.push({ ...request, messages: [...request.messages] })
      const id = prompts.length
      const { value } = await self.think(
        () => Promise.resolve({ value: answered(answer, id), lastsMs: answer.takesMs ?? 1_000 }),
        request.interrupt,
      )
      return value ?? { status: 'interrupted', usage: answered(answer, id).usage }
    },
  }
}

function answered({ says = null, calls = [], finish }: Answer, id: number): ModelAnswer {
  return {
    status: 'answered',
    text: says === null || typeof says === 'string' ? says : JSON.stringify(says),
    toolCalls: calls.map(([name, args], index) => ({
      id: `call-${id}-${index}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    finish: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, counted: true },
  }
}

/** Records of some kinds, and notes of some names as if these were kinds, without what every record has but the time. */
export function story(records: readonly TraceRecord[], ...kinds: string[]): object[] {
  return records
    .map(({ n: _n, role: _role, activity: _activity, ...rest }) =>
      rest.kind === 'note' ? { at: rest.at, kind: rest.name, ...rest.data } : rest,
    )
    .filter(({ kind }) => kinds.includes(kind))
}
