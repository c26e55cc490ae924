import { UserError } from '../define/index.js'
import type { RecordOf, Trace, TraceRecord, TrialIdentity } from '../define/index.js'
import type { ChatModel } from '../model/chat.js'
import { recordedModel } from '../model/recorded.js'
import type { RecordedModel } from '../model/recorded.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { recordedEmbeddings } from '../model/recorded-embeddings.js'
import { parseThinking } from '../model/thinking.js'
import { clean, seconds } from '../trace/text.js'
import { valueText } from './divergence.js'
import { freshMemory, givenIn } from './memory.js'
import { versionsSince } from './replay.js'
import type { Definition } from './replay.js'
import type { Step } from './step.js'
import { runTrial } from './trial.js'

/** The same past, another future. */
export interface WhatIf extends Definition {
  identity: TrialIdentity
  /** Who answers from the step on; null where the agent asks no model. */
  live: ChatModel | null
  /** Of what the record does not hold. */
  embeddings?: EmbeddingModels
  from: Step
}

/**
 * Plays a trial under a changed identity. What was asked before the step is answered by the record; where that is not
 * possible, because something else is asked, the past cannot be kept, and a UserError names the first difference.
 */
export async function playWhatIf(recorded: Trace, change: WhatIf): Promise<TraceRecord[]> {
  const { identity, agent, environment, live, from } = change
  const chat = live === null ? null : recordedModel(recorded, { calls: from.calls, live })
  const memory = freshMemory(givenIn(recorded))
  const embeddings = recordedEmbeddings(recorded, change.embeddings)
  const thinking = parseThinking(identity.thinking)
  const trace = await runTrial(identity, { agent, environment, chat, thinking, memory, embeddings })
  const lost = chat === null ? null : lostPast(recorded, trace, { chat, calls: from.calls })
  if (lost === null) return trace
  const versions = versionsSince(recordedIdentity(recorded) ?? identity, change)
  throw new UserError(
    [
      `The past before ${from.text} cannot be kept. ${lost}`,
      ...(versions === null ? [] : [versions]),
      'Parameters act from the start of the world. Choose an earlier --from, or leave it out to play all anew.',
    ].join('\n'),
  )
}

const recordedIdentity = ([first]: Trace): TrialIdentity | null => (first?.kind === 'trial' ? first.identity : null)

/** How the past that was played is not the recorded one, as far as the agent could tell. */
function lostPast(
  recorded: Trace,
  played: Trace,
  { chat, calls }: { chat: RecordedModel; calls: number },
): string | null {
  if (chat.miss !== null) {
    const { sentence, recorded: was, now } = chat.miss.miss
    return [
      clean(sentence),
      `  recorded  ${valueText(was ?? undefined)}`,
      `  now       ${valueText(now ?? undefined)}`,
    ].join('\n')
  }
  const [then, now] = [answersOf(recorded), answersOf(played)]
  for (let call = 1; call <= calls; call++) {
    if (call > chat.asked) return `The trial ended before call ${call} was asked.`
    const [was, is] = [ending(then.get(call)), ending(now.get(call))]
    if (was !== is) return `Call ${call} was ${was}; now it is ${is}.`
  }
  return null
}

const answersOf = (trace: Trace): Map<number, RecordOf<'answer'>> =>
  new Map(trace.flatMap((record) => (record.kind === 'answer' ? [[record.call, record]] : [])))

const ending = (answer: RecordOf<'answer'> | undefined): string =>
  answer === undefined ? 'never answered' : `${answer.status} after ${seconds(answer.thoughtMs)}`
