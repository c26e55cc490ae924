import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../contract/index.js'
import type { Summary, TrialLine } from '../contract/index.js'
import { checkRequirement, misses, parseRequirement } from '../report/requirement.js'
import type { Requirement } from '../report/requirement.js'
import { onStderr } from '../report/console.js'
import { summaryJson } from '../report/summary.js'
import { isSimulated } from '../run/models.js'
import { isRecorded, playFrom, recordInto } from '../run/recording.js'
import { readSpending } from '../run/spending.js'
import { findRun, readRun, tracePath } from '../run/store.js'
import { mannersOf } from '../run/preflight.js'
import type { Preflight } from '../run/preflight.js'
import { createRun, resumeRun, withFound } from '../run/writer.js'
import { clean } from '../trace/text.js'
import { defineCommand, exit } from './command.js'
import { confirmCost, tellPlan } from './confirm.js'
import { execute, guardModels, keepSpending, modelsOf, openModels, silentModels } from './execute.js'
import { preflightAll } from './preflight.js'
import { headerOf, prepare, prepareResumed } from './prepare.js'
import type { Prepared } from './prepare.js'
import { createWaits } from './progress.js'
import { REPORTS, checkTimelines, outputsOf, printReport, writeReports } from './report.js'
import { SINGLE, runBuilder } from './run-options.js'
import type { RunArguments } from './run-options.js'
import { personFor } from './terminal.js'

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
  for (const sentence of missed) process.stderr.write(`${onStderr.red(sentence)}\n`)
  return missed.length === 0 ? exit.fine : exit.regression
}

/** Runs a suite: plan, trials, results. */
export const runCommand = defineCommand({
  command: 'run [suite]',
  describe: 'Run a suite and print its comparison table',
  builder: runBuilder,
  run,
})

async function run(given: RunArguments): Promise<number> {
  check(given)
  const outputs = await outputsOf(given, 'run')
  const { prepared, header, open } =
    given.resume === undefined ? await fresh(given) : await resumed(given, given.resume)
  const { plan, metrics } = prepared
  const ids = plan.trials.map(({ id }) => id)
  checkTimelines(given, ids)
  if (given.plan) return tellPlan(prepared, given)
  const { record, replay } = given
  const isOffline = replay !== undefined && !given['live-on-miss']
  const waits = createWaits()
  const opened = isOffline
    ? silentModels(prepared)
    : openModels(prepared, { concurrency: given.concurrency, onWait: waits.onWait })
  const requirements = requirementsOf(given.require, prepared)
  const simulated = isOffline || modelsOf(prepared).every(isSimulated)
  const person = personFor(prepared)
  const limits = { costUsd: given['max-cost'] ?? null, tokens: given['budget-tokens'] ?? null }
  const isPaid = !simulated || limits.costUsd !== null || limits.tokens !== null
  const before = given.resume === undefined ? [] : readSpending(findRun(given.resume))
  const { real, purse, ...models } = isPaid
    ? guardModels(opened, prepared, { limits, before })
    : { ...opened, purse: undefined }
  if (!simulated) await confirmCost(prepared, given)

  const played = replay === undefined ? undefined : playFrom(replay, { live: !isOffline })
  if (record !== undefined) isRecorded(record, header)
  // Who goes on has a book already, and what the preflight costs stands in it whatever comes of it.
  const held = given.resume === undefined ? null : open([])
  const found = await preflightAll(real).catch((error: unknown) => {
    if (held !== null && purse !== undefined) keepSpending(held.folder, purse).close()
    held?.close()
    throw error
  })
  const writer = held ?? open(found)
  const recording = record === undefined ? played : recordInto(record, header, given['retry-errors'])
  let shown: TrialLine | null = null
  const onTrial = (line: TrialLine): void => {
    if (isBetterExample(line, shown)) shown = line
  }
  const own = real.map(({ described }) => described.settings.concurrency ?? 1)
  const concurrency = simulated || person !== null ? 1 : Math.max(given.concurrency, ...own)
  const execution = {
    ...models,
    ...(person !== null && { person }),
    ...(recording && { recording }),
    writer,
    concurrency,
    onTrial,
    waits,
    purse,
  }
  return execute(prepared, execution, async ({ interrupted, stopped }) => {
    writer.learnt(found.map((each, index) => ({ ...each, ...(real[index] && mannersOf(real[index])) })))
    const summary = await writeReports(writer.folder, { ...given, outputs, metrics })
    process.stdout.write(given.json ? summaryJson(summary) : printReport(summary))
    process.stderr.write(closing(writer.folder, shown))
    const goOn = `Go on with: npx sora-bench run --resume ${writer.folder}\n`
    if (stopped !== null) process.stderr.write(onStderr.yellow(`${clean(stopped)} ${goOn}`))
    else if (interrupted) process.stderr.write(onStderr.yellow(`Interrupted. ${goOn}`))
    if (stopped !== null || interrupted) return stopped === null ? exit.interrupted : exit.infrastructure
    const met = meet(requirements, summary)
    return exitCode(summary, writer.folder) || met
  })
}

function check(given: RunArguments): void {
  const values = new Map<string, unknown>(Object.entries(given))
  const twice = SINGLE.find((name) => Array.isArray(values.get(name)))
  if (twice !== undefined) throw new UserError(`--${twice} is given more than once.`)
  const { concurrency, resume, out, 'retry-errors': retryErrors } = given
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256)
    throw new UserError(`--concurrency ${concurrency} is no whole number from 1 to 256.`)
  for (const name of ['max-cost', 'budget-tokens'] as const) {
    const limit = given[name]
    if (limit !== undefined && !(limit > 0))
      throw new UserError(`--${name} ${limit} is nothing to spend: name a number above 0.`)
  }
  if (retryErrors && resume === undefined)
    throw new UserError('--retry-errors needs --resume RUN: it redoes trials of a run.')
  if (given.record !== undefined && given.replay !== undefined)
    throw new UserError('--record and --replay exclude each other: --replay DIR --live-on-miss adds to DIR.')
  if (given['live-on-miss'] && given.replay === undefined)
    throw new UserError('--live-on-miss needs --replay DIR: the folder whose answers are tried first.')
  if (out !== undefined && resume !== undefined)
    throw new UserError('--out and --resume exclude each other: a resumed run stays in its folder.')
}

async function fresh(given: RunArguments) {
  const prepared = await prepare(given)
  const now = new Date()
  const folder = given.out ?? join('results', `${prepared.plan.suite.name}-${stamp(now)}`)
  const { traces, replay: replays } = given
  const header = headerOf(prepared, folder.replace(/^results\//, ''), now, {
    traces,
    ...(replays !== undefined && { replays }),
  })
  return { prepared, header, open: (preflight: Preflight[]) => createRun(folder, withFound(header, preflight)) }
}

async function resumed(given: RunArguments, name: string) {
  const folder = findRun(name)
  const { header } = readRun(folder)
  const prepared = await prepareResumed(given, header)
  return { prepared, header, open: () => resumeRun(folder, header, given['retry-errors']) }
}

function exitCode(summary: Summary, folder: string): number {
  const broken = summary.groups.reduce((sum, { infrastructureErrors }) => sum + infrastructureErrors, 0)
  if (broken === 0) return exit.fine
  process.stderr.write(
    `${broken} ${broken === 1 ? 'trial' : 'trials'} ended in an infrastructure error. Redo ${broken === 1 ? 'it' : 'them'} with: npx sora-bench run --resume ${folder} --retry-errors\n`,
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
function closing(folder: string, shown: TrialLine | null): string {
  const where = `Results: ${folder} (${REPORTS}, traces/)\n`
  // Who kept no traces has nothing to look into.
  return shown === null || !existsSync(tracePath(folder, shown.identity))
    ? where
    : `${where}What happened in a trial: npx sora-bench trace "${shown.identity.id}" --run ${folder}\n`
}
