import { UserError } from '../contract/index.js'
import type { Suite } from '../contract/index.js'
import { gradersOf } from '../metrics/measure.js'
import { runHeader } from '../run/header.js'
import type { TracePolicy } from '../run/header.js'
import { embeddingsIn, isSimulated, openAllEmbeddings, openModel } from '../run/models.js'
import { runPlan } from '../run/runner.js'
import { createRun } from '../run/writer.js'
import { planned } from './prepare.js'
import { createProgress } from './progress.js'
import { askerOf, onInterrupt } from './terminal.js'

/** Runs a suite of simulated models into a folder, without reports. False: it was interrupted. */
export async function rerun(suite: Suite, folder: string, traces: TracePolicy): Promise<boolean> {
  const { plan, definitions, metrics, plugins } = await planned(suite)
  const embeddingNames = embeddingsIn(plan.trials, definitions)
  const real = [...suite.models, ...embeddingNames].find((name) => !isSimulated(name))
  if (real !== undefined) {
    throw new UserError(
      `The suite ${suite.name} asks ${real}, which costs: run it with \`sora-bench run\`, then name that run.`,
    )
  }
  const asker = askerOf({ plan, definitions })
  if (asker !== null)
    throw new UserError(
      `In the suite ${suite.name} ${asker} asks a person: run it with \`sora-bench run\`, then name that run.`,
    )
  const chats = new Map(suite.models.map((name) => [name, openModel(name, { env: process.env })]))
  const graders = gradersOf(metrics)
  const header = runHeader(folder, plan.suite, plan.trials, { now: new Date(), traces, graders, plugins })
  const writer = createRun(folder, header)
  const abort = onInterrupt()
  const progress = createProgress(plan.trials.length)
  try {
    const { interrupted } = await runPlan(plan, {
      definitions,
      metrics,
      chats,
      embeddings: openAllEmbeddings(embeddingNames, { env: process.env }),
      writer,
      concurrency: 1,
      signal: abort.signal,
      onTrial: (line) => progress.step(line),
    })
    return !interrupted
  } finally {
    progress.stop()
    writer.close()
    abort.release()
  }
}
