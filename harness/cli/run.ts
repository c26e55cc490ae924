import { join } from 'node:path'
import type { CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import type { Summary, TrialLine } from '../contract/index.js'
import { gradersOf } from '../metrics/measure.js'
import { checkRequirement, misses, parseRequirement } from '../report/requirement.js'
import type { Requirement } from '../report/requirement.js'
import { onStderr } from '../report/console.js'
import { summaryJson } from '../report/summary.js'
import { runHeader } from '../run/header.js'
import { embeddingsIn, isSimulated, openAllEmbeddings, openModel } from '../run/models.js'
import { runPlan } from '../run/runner.js'
import { findRun, readRun } from '../run/store.js'
import { createRun, resumeRun } from '../run/writer.js'
import type { RunWriter } from '../run/writer.js'
import { confirmCost } from './confirm.js'
import { prepare, prepareResumed } from './prepare.js'
import type { Prepared } from './prepare.js'
import { createProgress } from './progress.js'
import { REPORTS, checkTimelines, outputsOf, printReport, writeReports } from './report.js'
import { SINGLE, runOptions } from './run-options.js'
import type { RunArguments } from './run-options.js'
import { exit, onInterrupt, personFor } from './terminal.js'

/** Before anything runs: requirements that cannot be met are the user's mistake. */
function requirementsOf(texts: readonly string[] | undefined, { plan, metrics }: Prepared): Requirement[] {
  const requirements = (texts ?? []).map(parseRequirement)
  const known = {
    agents: plan.trials.map(({ agent, agentParams }) => ({ name: agent, params: agentParams })),
    environments: plan.trials.map(({ scenario }) => ({ name: scenario.environment, params: scenario.params })),
    metrics: metrics.map(({ name }) => name),
  }
  for (const requirement of requirements) checkRequirement(requirement, known)
  return requirements
}

/** A sentence per miss, and the exit code. */
function meet(requirements: readonly Requirement[], summary: Summary): number {
  const missed = requirements.flatMap((requirement) => misses(requirement, summary.groups))
  for (const { sentence } of missed) process.stderr.write(`${onStderr.red(sentence)}\n`)
  return missed.length === 0 ? exit.fine : exit.regression
}

/** Runs a suite: plan, trials, results. `done` receives the exit code. */
export function runCommand(done: (code: number) => void): CommandModule<object, RunArguments> {
  return {
    command: 'run [suite]',
    describe: 'Run a suite and print its comparison table',
    builder: runOptions,
    async handler(given) {
      done(await run(given))
    },
  }
}

async function run(given: RunArguments): Promise<number> {
  check(given)
  const outputs = await outputsOf(given, 'run')
  const { prepared, open } = given.resume === undefined ? await fresh(given) : await resumed(given, given.resume)
  const { suite } = prepared.plan
  checkTimelines(
    given,
    prepared.plan.trials.map(({ id }) => id),
  )
  const chats = new Map(suite.models.map((name) => [name, openModel(name, { env: process.env })]))
  const embeddingNames = embeddingsIn(prepared.plan.trials, prepared.definitions)
  const embeddings = openAllEmbeddings(embeddingNames, { env: process.env })
  const requirements = requirementsOf(given.require, prepared)
  const simulated = [...suite.models, ...embeddingNames].every(isSimulated)
  const person = personFor(prepared)
  if (!simulated) await confirmCost(prepared.plan, prepared.definitions, given.yes)

  const writer = open()
  const abort = onInterrupt()
  const progress = createProgress(prepared.plan.trials.length, {
    before: writer.done.size,
    // A live line would write over the questions.
    ...(person !== null && { isLive: false }),
  })
  let shown: TrialLine | null = null
  const onTrial = (line: TrialLine): void => {
    if (isBetterExample(line, shown)) shown = line
    progress.step(line)
  }
  try {
    const { definitions, metrics, plan } = prepared
    const concurrency = simulated || person !== null ? 1 : given.concurrency
    const { interrupted } = await runPlan(plan, {
      definitions,
      metrics,
      chats,
      embeddings,
      ...(person !== null && { person }),
      writer,
      concurrency,
      signal: abort.signal,
      onTrial,
    })
    progress.stop()
    const summary = await writeReports(writer.folder, { ...given, outputs, metrics })
    process.stdout.write(given.json ? summaryJson(summary) : printReport(summary))
    process.stderr.write(closing(writer, shown))
    if (interrupted)
      process.stderr.write(onStderr.yellow(`Interrupted. Go on with: npx sora-bench run --resume ${writer.folder}\n`))
    if (interrupted) return exit.interrupted
    const met = meet(requirements, summary)
    return exitCode(summary, writer.folder) || met
  } finally {
    progress.stop()
    writer.close()
    abort.release()
  }
}

function check(given: RunArguments): void {
  for (const name of SINGLE) {
    if (Array.isArray(given[name])) throw new UserError(`--${name} is given more than once.`)
  }
  checkValues(given)
}

function checkValues({ concurrency, resume, out, 'retry-errors': retryErrors }: RunArguments): void {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new UserError(`--concurrency ${concurrency} is no whole number from 1 to 256.`)
  }
  if (retryErrors && resume === undefined)
    throw new UserError('--retry-errors needs --resume RUN: it redoes trials of a run.')
  if (out !== undefined && resume !== undefined)
    throw new UserError('--out and --resume exclude each other: a resumed run stays in its folder.')
}

interface Start {
  prepared: Prepared
  open: () => RunWriter
}

async function fresh(given: RunArguments): Promise<Start> {
  const prepared = await prepare(given)
  const { plugins } = prepared
  const { suite, trials } = prepared.plan
  const now = new Date()
  const folder = given.out ?? join('results', `${suite.name}-${stamp(now)}`)
  const header = runHeader(folder.replace(/^results\//, ''), suite, trials, {
    now,
    traces: given.traces,
    graders: gradersOf(prepared.metrics),
    plugins,
  })
  return { prepared, open: () => createRun(folder, header) }
}

async function resumed(given: RunArguments, name: string): Promise<Start> {
  const folder = findRun(name)
  const { header } = readRun(folder)
  const prepared = await prepareResumed(given, header)
  return { prepared, open: () => resumeRun(folder, header, given['retry-errors']) }
}

function exitCode(summary: Summary, folder: string): number {
  const broken = summary.groups.reduce((sum, { infrastructureErrors }) => sum + infrastructureErrors, 0)
  if (broken === 0) return exit.fine
  process.stderr.write(
    `${broken} trials ended in an infrastructure error. Redo them with: npx sora-bench run --resume ${folder} --retry-errors\n`,
  )
  return exit.infrastructure
}

const stamp = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')

/** The first violation of an agent with a model tells most; else the first trial of one. */
function isBetterExample(line: TrialLine, shown: TrialLine | null): boolean {
  if (line.identity.model === null) return false
  return shown === null || (shown.outcome !== 'violated' && line.outcome === 'violated')
}

/** Where the results are, and one command that shows why something failed. */
function closing({ folder }: RunWriter, shown: TrialLine | null): string {
  const where = `Results: ${folder} (${REPORTS}, traces/)\n`
  return shown === null
    ? where
    : `${where}What happened in a trial: npx sora-bench trace "${shown.identity.id}" --run ${folder}\n`
}
