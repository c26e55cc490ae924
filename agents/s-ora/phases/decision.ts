import { readCall, readEnd } from '../../../harness/kit/index.js'
import type { Call, End, Malformed } from '../../../harness/kit/index.js'
import type { WaitCondition } from '../../../harness/contract/index.js'
import { remember } from '../activity.js'
import type { Activity, Agent, Next, Step } from '../activity.js'
import { converse } from '../dialogue.js'
import type { Question, Read } from '../dialogue.js'
import { lifetimeOf } from '../memory.js'
import { mount, use } from '../mounting.js'
import { lookAgain, perceive } from '../perception.js'
import { diverts, giveUp, learnFrom } from '../progress.js'
import {
  composeFused,
  documentsSection,
  historySection,
  memoriesSection,
  signalLines,
  signalsSection,
  unmountedSection,
  variablesSection,
} from '../prompts.js'
import { waitCall } from '../schemas.js'
import { fusedTools } from '../tools.js'
import { conditionOf, endless, suspend } from '../wait.js'
import { dispatch } from './action.js'

/** What one call decides: a call of a tool, with or without a wait after it; a wait alone; or the end. */
type Decided =
  | { do: 'call'; call: Call; wait: WaitCondition | null }
  | { do: 'wait'; wait: WaitCondition }
  | (End & { do: 'end' })

/** OBSERVATION, REASONING, SETUP and ACTION in one call: takes in what came, and does the one next step. */
export const decision: Step = async (activity, agent) => {
  const { context } = agent
  activity.cycle += 1
  await lookAgain(activity, agent, true)
  activity.inbox.push(...(await activity.door.drain()))
  const reply = await converse(activity, agent, questionOf(activity, agent))
  if (reply.kind === 'diverted') return 'decision'
  if (reply.kind === 'failed') return giveUp(activity, agent, reply.reason)
  if (activity.inbox.length > 0)
    remember(activity, context.now(), signalLines(activity.inbox, context.params.maxSignals))
  activity.inbox = []
  const decided = reply.value
  if (decided.do === 'end') return end(decided, activity, agent)
  if (decided.do === 'call') return act(decided, activity, agent)
  agent.budget.earn()
  return suspend(activity, agent, decided.wait)
}

function questionOf(activity: Activity, agent: Agent): Question<Decided> {
  const tools = fusedTools(activity)
  return {
    phase: 'decision',
    offer: { tools },
    read(answer) {
      const said = answer.toolCalls.length === 0 ? readEnd(answer) : readCall(answer, tools)
      return said.kind === 'malformed' ? said : decidedBy(said, activity, agent)
    },
    async compose() {
      await perceive(activity, agent)
      return composeFused(activity, [
        documentsSection(activity),
        unmountedSection(activity),
        ...memoriesSection(activity),
        historySection(activity, agent.context.params.window),
        variablesSection(activity, agent),
        signalsSection(activity, agent),
      ])
    },
  }
}

function decidedBy(said: Call | End, activity: Activity, agent: Agent): Read<Decided> {
  const { mends } = said
  if (said.kind === 'end') return { kind: 'value', value: { do: 'end', ...said }, mends }
  const waits = said.tool.kind === 'wait'
  const { wait: asked, ...others } = said.args
  const given = waits ? said.args : said.tool.kind === 'operation' ? asked : undefined
  const parsed = waitCall.nullable().default(null).safeParse(given)
  if (!parsed.success) return malformed('wait', `The wait is none: ${parsed.error.issues[0]?.message ?? ''}`)
  const wait = conditionOf({ wait: parsed.data })
  if (waits && wait === null) return malformed('no_condition', 'To wait needs the name of a signal, or "when".')
  const never = wait === null ? null : endless(wait, activity, agent)
  if (never !== null) return { kind: 'malformed', ...never }
  if (waits && wait !== null) return { kind: 'value', value: { do: 'wait', wait }, mends }
  const call = said.tool.kind === 'operation' ? { ...said, args: others } : said
  return { kind: 'value', value: { do: 'call', call, wait }, mends }
}

const malformed = (what: string, detail: string): Malformed => ({ kind: 'malformed', what, detail })

async function act({ call, wait }: Decided & { do: 'call' }, activity: Activity, agent: Agent): Promise<Next> {
  const { memory, beliefs } = activity
  const { tool, args } = call
  activity.intention = { instruction: `${tool.name} ${JSON.stringify(args)}`, wait, beliefs }
  const next = await dispatch(call, activity, agent)
  if (tool.kind === 'operation')
    use(
      memory.texts().filter((id) => memory.covers(id).includes(tool.name)),
      activity,
    )
  const { document } = args
  if (typeof document === 'string') await mount(document, activity, agent)
  return next
}

/** Who is to remember beyond the trial reflects; for the others the last answer says it all. */
async function end({ claim, text }: End, activity: Activity, agent: Agent): Promise<Next> {
  const { context } = agent
  if (context.params.guardReflection) {
    await lookAgain(activity, agent, true)
    if ((await diverts(activity, agent, 'completed')) !== null) return 'decision'
  }
  agent.budget.earn()
  if (lifetimeOf(context.params).kind !== 'trial') {
    activity.verdict = { claim, summary: text, at: context.now() }
    return 'completed'
  }
  learnFrom(activity, agent, { outcome: claim, summary: text })
  context.claim(activity.door.uuid, claim, text)
  return 'terminated'
}
