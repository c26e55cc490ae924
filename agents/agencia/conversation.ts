import { correction, prompt, readUpFront, repaired, said, turnedDown } from '../../harness/kit/index.js'
import type { Budget } from '../../harness/kit/index.js'
import type { Context, Goal, Message, ModelAnswer } from '../../harness/contract/index.js'
import { readAnswer } from './answer.js'
import type { CallOfModel } from './answer.js'
import { invoke, reportInert } from './caller.js'
import type { House } from './caller.js'
import type { Knowledge } from './knowledge.js'
import { notes } from './notes.js'
import { openOffer } from './offer.js'
import type { AgenciaParams } from './params.js'
import { GO_ON, SYSTEM } from './prompts.js'
import { readRegistry } from './registry.js'
import { openUser } from './suspension.js'
import { NO_RESULT } from './unit.js'
import type { AgentResult } from './unit.js'

/**
 * Function handling of Agencia (paper, §4): calls of the model are matched to agents by name, their results go back, and
 * further calls are handled one level deeper, until the model answers in text or the depth is reached.
 */
export async function converse(
  context: Context<'act', AgenciaParams>,
  { goal, knowledge, budget }: { goal: Goal; knowledge: Knowledge; budget: Budget },
): Promise<void> {
  const { params, model } = context
  const door = await context.open(goal.index === 0 ? 'goal' : `goal-${goal.index + 1}`, [goal])
  const registry = readRegistry(params.registry)
  if ('wrong' in registry) throw new Error(`The registry does not fit: ${registry.wrong}.`)
  const offer = openOffer(registry.units, door.tools())
  const house: House = {
    door,
    offer,
    user: openUser(context, door.uuid),
    maxDepth: params.maxDepth,
    note: (note) => context.note(door.uuid, note),
  }
  if (params.documents === 'upFront' && knowledge.exchanges().length === 0)
    for (const [index, { name, args, result }] of (await readUpFront(door)).entries()) {
      const unit = offer.find(name)
      if (unit !== null) knowledge.keep({ id: `up-front-${index + 1}`, unit, input: args }, result.text)
    }
  const opening: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: prompt.goal([goal.text]) },
    ...knowledge.exchanges(),
  ]
  const steps: { messages: Message[]; stays: boolean }[] = []
  const shownSteps = (): Message[] =>
    steps
      .filter(({ stays }, index) => stays || params.window === null || index >= steps.length - params.window)
      .flatMap(({ messages }) => messages)
  let rounds = 0
  let turns = 1

  for (;;) {
    const answer = await model.ask({
      phase: 'turn',
      activity: door.uuid,
      messages: [...opening, ...shownSteps()],
      tools: offer.tools(),
    })
    for (const text of textsOf(answer)) reportInert(house, 'model', text)
    const read = readAnswer(answer, offer)
    if (read.kind === 'malformed') {
      const retry = budget.spend()
      context.note(door.uuid, { kind: 'malformed', what: read.what, detail: read.detail, retry })
      if (!retry) return giveUp(read.detail)
      steps.push({ messages: [...said(answer), ...correction(answer, read.detail)], stays: false })
      continue
    }
    if (read.mends.length > 0) house.note(repaired(read.mends))
    if (read.kind === 'end') {
      budget.earn()
      return context.claim(door.uuid, read.claim, read.text)
    }
    if (rounds === params.maxDepth) {
      budget.earn()
      house.note(notes.depthLimit(rounds))
      if (turns === params.maxTurns) return giveUp(`The goal was not reached in ${turns} turns of depth ${rounds}.`)
      const refusal = `The depth limit of ${rounds} rounds is reached: this was not called.`
      const goOn: Message = { role: 'user', content: GO_ON }
      steps.push({ messages: [...said(answer), ...turnedDown(answer, refusal), goOn], stays: false })
      turns += 1
      rounds = 0
      continue
    }
    rounds += 1
    const handled = await handle(read.calls)
    if (handled.failed !== null) return giveUp(`Tool handling was stopped: ${handled.failed}`)
    steps.push({ messages: [...said(answer), ...handled.messages], stays: handled.lasts })
    if (!handled.misused) budget.earn()
    else if (!budget.spend()) return giveUp('Too many answers in a row were malformed, or invalid calls.')
  }

  /** One after the other, as they were asked for; a hard failure ends it, and what came after is not called. */
  async function handle(calls: readonly CallOfModel[]) {
    const results: Message[] = []
    let [misused, lasts] = [false, false]
    for (const { id, unit, input } of calls) {
      const errand = { ...house, round: rounds, spent: { directives: 0 } }
      const result = await invoke(errand, { unit, input, by: 'model', depth: 1 })
      if (result.error !== null) return { messages: [], misused, lasts, failed: result.error }
      misused ||= !result.ran
      const content = shown(unit.name, result)
      if (result.lasting) lasts = knowledge.keep({ id, unit, input }, content) || lasts
      results.push({ role: 'tool', tool_call_id: id, content })
    }
    return { messages: results, misused, lasts, failed: null }
  }

  function giveUp(reason: string): void {
    context.claim(door.uuid, 'gave_up', reason)
  }
}

function textsOf(answer: ModelAnswer): string[] {
  return answer.status === 'interrupted' ? [] : [answer.text ?? '', ...answer.toolCalls.map((call) => call.arguments)]
}

/** What the model gets to read. A soft failure is told as data, beside what the tool itself has brought. */
function shown(agent: string, { output, noResult }: AgentResult): string {
  if (noResult === null) return output
  const fact = prompt.fact({ agent, noResult })
  return output === NO_RESULT ? fact : `${output}\n${fact}`
}
