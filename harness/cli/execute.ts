import { UserError, modelsIn } from '../contract/index.js'
import type { TrialLine } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import type { EndpointModel } from '../model/openai.js'
import { createPurse, isPriced } from '../model/purse.js'
import type { Purse, PurseLimits, Spent } from '../model/purse.js'
import { createGates, embeddingsIn, openAllEmbeddings, openOnce, silentEmbeddings, silentModel } from '../run/models.js'
import { runPlan } from '../run/runner.js'
import type { RunEnd, RunOptions } from '../run/runner.js'
import { openSpending } from '../run/spending.js'
import type { RunWriter } from '../run/writer.js'
import type { Prepared } from './prepare.js'
import { createEstimates, createProgress, createWaits } from './progress.js'
import type { Waits } from './progress.js'
import { onInterrupt } from './terminal.js'

/** The names of the models that a run asks. */
export const modelsOf = ({ plan, definitions }: Prepared): string[] => [
  ...modelsIn(plan.suite).keys(),
  ...embeddingsIn(plan.trials, definitions),
]

/** Opens all models of a run, each once; those of an endpoint pass one gate. Throws `UserError`, before any trial. */
export function openModels(
  { plan, definitions }: Prepared,
  waits: Pick<Parameters<typeof createGates>[0], 'concurrency' | 'onWait'> = { concurrency: 1 },
) {
  const options = { env: process.env, gates: createGates(waits) }
  const opened = new Map<string, ChatModel>()
  const models = modelsIn(plan.suite)
  const chats = new Map([...models].map(([label, entry]) => [label, openOnce(entry, options, opened)]))
  return {
    chats,
    embeddings: openAllEmbeddings(embeddingsIn(plan.trials, definitions), options),
    /** Those that are asked over HTTP, also for one role alone. */
    real: [...opened.values()].filter((chat): chat is EndpointModel => 'manners' in chat),
  }
}

/** Models for a run whose answers come from a recording: nobody asks them. */
export const silentModels = ({ plan }: Prepared): ReturnType<typeof openModels> => ({
  chats: new Map([...modelsIn(plan.suite)].map(([label, entry]) => [label, silentModel(entry)])),
  embeddings: silentEmbeddings,
  real: [],
})

/** The models of a run with their spending kept within limits. Throws `UserError` where money is limited and a price unknown. */
export function guardModels(
  { chats, embeddings, real }: ReturnType<typeof openModels>,
  prepared: Prepared,
  { limits, before }: { limits: PurseLimits; before: readonly Spent[] },
) {
  const names = embeddingsIn(prepared.plan.trials, prepared.definitions)
  const unpriced = real.find(({ name, price }) => !isPriced(name, price))?.name ?? names.find((name) => !isPriced(name))
  if (limits.costUsd !== null && unpriced !== undefined)
    throw new UserError(
      `--max-cost needs to know what ${unpriced} costs: add ?price.input=…&price.output=… (USD per million tokens), or use --budget-tokens.`,
    )
  if (limits.costUsd !== null || limits.tokens !== null) for (const model of real) bound(model)
  const purse = createPurse(limits, before)
  return {
    purse,
    chats: new Map([...chats].map(([name, chat]) => [name, purse.guard(chat)])),
    embeddings: purse.guardEmbeddings(embeddings),
    real: real.map((model) => ({ ...model, ...purse.guard(model) })),
  }
}

const LIMITING = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'best_of'])

/** A budget counts on the output limit. Throws `UserError` where the settings take it away. */
function bound({ name, manners, described: { settings } }: EndpointModel): void {
  const field = [...(settings.omit ?? []), ...Object.keys(settings.extra ?? {})].find((each) => LIMITING.has(each))
  if (field !== undefined)
    throw new UserError(
      `A budget counts on the output limit of ${name}: leave out "${field}" and set maxTokens, or leave out --max-cost and --budget-tokens.`,
    )
  manners.bounded = true
}

/** Keeps a run's book from now on, with what was spent before there was one. */
export function keepSpending(folder: string, purse: Purse): ReturnType<typeof openSpending> {
  const spending = openSpending(folder)
  purse.tell((spent) => spending.append(spent))
  return spending
}

type Execution = Pick<RunOptions, 'chats' | 'embeddings' | 'person' | 'concurrency' | 'recording'> & {
  writer: RunWriter
  /** What calls wait for. */
  waits?: Waits
  /** What is spent; absent: nothing can be. */
  purse?: Purse | undefined
  onTrial?: (line: TrialLine) => void
}

/** Runs what is prepared, with its progress on standard error. The run's folder is ours until `finish` has ended. */
export async function execute<T>(
  { plan, definitions, metrics }: Prepared,
  { onTrial, waits, purse, ...parts }: Execution,
  finish: (end: RunEnd) => T | Promise<T>,
): Promise<T> {
  const { writer, person, recording } = parts
  const abort = onInterrupt()
  const spending = purse === undefined ? null : keepSpending(writer.folder, purse)
  const progress = createProgress(plan.trials.length, {
    before: writer.done.size,
    // A live line would write over the questions.
    isLive: person === undefined && process.stderr.isTTY,
    waits: waits ?? createWaits(),
    spent: () => purse?.spent().costUsd ?? 0,
  })
  const estimateAfter = createEstimates(plan.trials, writer.done)
  const step = (line: TrialLine): void => {
    onTrial?.(line)
    progress.step(line)
    const estimate = purse === undefined ? null : estimateAfter(line)
    if (estimate !== null) progress.note(estimate)
  }
  try {
    const options = { ...parts, definitions, metrics, signal: abort.signal, onTrial: step }
    const end = await runPlan(plan, options)
    progress.stop()
    return await finish(end)
  } finally {
    progress.stop()
    writer.close()
    recording?.close()
    spending?.close()
    abort.release()
  }
}
