import { prompt } from '../../harness/kit/index.js'
import type { Context, Goal, Message, ModelAnswer } from '../../harness/contract/index.js'
import { readAnswer, said, turnedDown } from './answer.js'
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
  { goal, knowledge }: { goal: Goal; knowledge: Knowledge },
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
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: goal.text },
    ...knowledge.exchanges(),
  ]
  let rounds = 0
  let turns = 1
  let strikes = 0
  let outcomeAsked = false

  for (;;) {
    const answer = await model.ask({
      phase: 'turn',
      activity: door.uuid,
      messages: [...messages],
      tools: offer.tools(),
    })
    for (const text of textsOf(answer)) reportInert(house, 'model', text)
    const read = readAnswer(answer, offer)
    if (read.kind === 'end') return context.claim(door.uuid, read.claim, read.text)
    messages.push(...said(answer))
    if (read.kind === 'malformed') {
      strikes += 1
      // Twice without an outcome: success that is not stated is not claimed.
      const last = strikes > params.maxMalformed || (read.what === 'no_outcome' && outcomeAsked)
      outcomeAsked = read.what === 'no_outcome'
      context.note(door.uuid, { kind: 'malformed', what: read.what, detail: read.detail, retry: !last })
      if (last) return giveUp(read.detail)
      messages.push(...turnedDown(answer, read.detail))
      continue
    }
    outcomeAsked = false
    if (rounds === params.maxDepth) {
      house.note(notes.depthLimit(rounds))
      if (turns === params.maxTurns) return giveUp(`The goal was not reached in ${turns} turns of depth ${rounds}.`)
      messages.push(...turnedDown(answer, `The depth limit of ${rounds} rounds is reached: this was not called.`))
      messages.push({ role: 'user', content: GO_ON })
      turns += 1
      rounds = 0
      continue
    }
    rounds += 1
    const handled = await handle(read.calls)
    if (handled.failed !== null) return giveUp(`Tool handling was stopped: ${handled.failed}`)
    messages.push(...handled.messages)
    strikes = handled.misused ? strikes + 1 : 0
    if (strikes > params.maxMalformed) return giveUp(`${strikes} calls in a row were invalid.`)
  }

  /** One after the other, as they were asked for; a hard failure ends it, and what came after is not called. */
  async function handle(calls: readonly CallOfModel[]) {
    const results: Message[] = []
    let misused = false
    for (const { id, unit, input } of calls) {
      const errand = { ...house, round: rounds, spent: { directives: 0 } }
      const result = await invoke(errand, { unit, input, by: 'model', depth: 1 })
      if (result.error !== null) return { messages: [], misused, failed: result.error }
      misused ||= !result.ran
      const content = shown(unit.name, result)
      if (result.lasting) knowledge.keep({ id, unit, input }, content)
      results.push({ role: 'tool', tool_call_id: id, content })
    }
    return { messages: results, misused, failed: null }
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
