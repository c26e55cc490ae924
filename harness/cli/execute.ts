import type { TrialLine } from '../contract/index.js'
import { embeddingsIn, openAllEmbeddings, openModel } from '../run/models.js'
import { runPlan } from '../run/runner.js'
import type { RunEnd, RunOptions } from '../run/runner.js'
import type { RunWriter } from '../run/writer.js'
import type { Prepared } from './prepare.js'
import { createProgress } from './progress.js'
import { onInterrupt } from './terminal.js'

/** The names of the models that a run asks. */
export const modelsOf = ({ plan, definitions }: Prepared): string[] => [
  ...plan.suite.models,
  ...embeddingsIn(plan.trials, definitions),
]

/** Opens all models of a run, each once. Throws `UserError`, before any trial. */
export function openModels({ plan, definitions }: Prepared): Pick<RunOptions, 'chats' | 'embeddings'> {
  const { env } = process
  return {
    chats: new Map(plan.suite.models.map((name) => [name, openModel(name, { env })])),
    embeddings: openAllEmbeddings(embeddingsIn(plan.trials, definitions), { env }),
  }
}

type Execution = Pick<RunOptions, 'chats' | 'embeddings' | 'person' | 'concurrency'> & {
  writer: RunWriter
  onTrial?: (line: TrialLine) => void
}

/** Runs what is prepared, with its progress on standard error. The run's folder is ours until `finish` has ended. */
export async function execute<T>(
  { plan, definitions, metrics }: Prepared,
  { onTrial, ...parts }: Execution,
  finish: (end: RunEnd) => T | Promise<T>,
): Promise<T> {
  const { writer, person } = parts
  const abort = onInterrupt()
  const progress = createProgress(plan.trials.length, {
    before: writer.done.size,
    // A live line would write over the questions.
    isLive: person === undefined && process.stderr.isTTY,
  })
  const step = (line: TrialLine): void => {
    onTrial?.(line)
    progress.step(line)
  }
  try {
    const options = { ...parts, definitions, metrics, signal: abort.signal, onTrial: step }
    const end = await runPlan(plan, options)
    progress.stop()
    return await finish(end)
  } finally {
    progress.stop()
    writer.close()
    abort.release()
  }
}
