import { UserError } from '../contract/index.js'
import type { RecordOf, Trace, TraceRecord, TrialIdentity } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import type { EmbeddingModels } from '../model/embedding.js'
import { recordedEmbeddings, recordedModel } from '../model/recorded.js'
import type { RecordedModel } from '../model/recorded.js'
import { parseThinking } from '../model/thinking.js'
import { clean, seconds } from '../trace/text.js'
import { freshMemory, givenIn } from '../trial/memory.js'
import { runTrial } from '../trial/trial.js'
import { valueText, versionsSince } from './replay.js'
import type { Definition } from './replay.js'

/** A place in a trace: before a record, or before a virtual time. */
interface Step {
  text: string
  /** How many of its model calls were asked before it. */
  calls: number
}

/** Stories stamp their lines so: a time that was read off there means what it was read off. */
const STAMP_DECIMALS = 2

/** Reads `120` (a record), `12.5s` or `800ms` against the trace that it is a place of. */
export function parseStep(text: string, trace: Trace): Step {
  const [, figure, unit] = /^(\d+(?:\.\d+)?)(s|ms|)$/.exec(text.trim()) ?? []
  const value = Number(figure)
  if (figure === undefined || (unit === '' && !Number.isInteger(value))) {
    throw new UserError(
      `"${text}" is no step. Write the number of a record, such as 120, or a virtual time, such as 12.5s.`,
    )
  }
  const decimals = Math.max(STAMP_DECIMALS, figure.split('.')[1]?.length ?? 0)
  const positionOf = ({ n, at }: TraceRecord): number => {
    if (unit === '') return n
    return unit === 'ms' ? at : Number((at / 1_000).toFixed(decimals))
  }
  const last = trace.at(-1)
  if (last === undefined || value > positionOf(last)) {
    throw new UserError(
      `The step ${text} lies behind the end of the trial: its last record is ${last?.n ?? 0}, at ${(last?.at ?? 0) / 1_000} s.`,
    )
  }
  return { text, calls: trace.filter((record) => record.kind === 'request' && positionOf(record) < value).length }
}

/** The same past, another future. */
interface WhatIf extends Definition {
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
  if (live?.name.startsWith('sim:') === true) requireExposures(recorded, from)
  const chat = live === null ? null : recordedModel(recorded, { calls: from.calls, live })
  const memory = freshMemory(givenIn(recorded))
  const embeddings = recordedEmbeddings(recorded, change.embeddings)
  const thinking = parseThinking(identity.thinking)
  const trace = await runTrial(identity, { agent, environment, chat, thinking, memory, embeddings })
  const lost = chat === null ? null : lostPast(recorded, trace, { chat, calls: from.calls })
  if (lost === null) return trace
  const versions = versionsSince(recordedIdentity(recorded) ?? identity, change)
  const way = 'Parameters act from the start of the world. Choose an earlier --from, or leave it out to play all anew.'
  const lines = [`The past before ${from.text} cannot be kept. ${lost}`, ...(versions === null ? [] : [versions]), way]
  throw new UserError(lines.join('\n'))
}

/** A simulated model goes on from what has come up before: without that it would err otherwise than it did. */
function requireExposures(recorded: Trace, { text, calls }: Step): void {
  const simulated = new Set(
    recorded.flatMap((each) => (each.kind === 'request' && each.model.startsWith('sim:') ? [each.call] : [])),
  )
  for (const record of recorded) {
    if (record.kind !== 'answer' || record.call > calls || !simulated.has(record.call)) continue
    if (record.exposures !== undefined) continue
    throw new UserError(
      `The trace does not tell where its simulated model could have erred before ${text}: it was recorded by an older version. Leave out --from, or record the trial anew.`,
    )
  }
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
    const [before, after] = [was, now].map((value) => valueText(value ?? undefined))
    return `${clean(sentence)}\n  recorded  ${before}\n  now       ${after}`
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
