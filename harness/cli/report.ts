import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import type { InferredOptionTypes } from 'yargs'
import { UserError } from '../contract/index.js'
import type { KeptTrace, Metric, ReportInput, Reporter, Summary, TrialLine } from '../contract/index.js'
import { codebook, measure } from '../metrics/measure.js'
import { consoleReport } from '../report/console.js'
import { contrastsOf } from '../report/contrasts.js'
import { contrastsCsv, writeTrialsCsv } from '../report/formats/csv.reporter.js'
import { frontsOf } from '../report/front.js'
import { summarise, summaryJson } from '../report/summary.js'
import { makeFolder, unwritable, writeWhole } from '../run/disk.js'
import { thinkingPolicies } from '../run/plan.js'
import { createCatalogue, metricsWith, pluginFiles } from '../run/registry.js'
import { findRun, tracePath } from '../run/store.js'
import type { Preflight } from '../run/preflight.js'
import type { RunHeader } from '../run/store.js'
import { readTrace } from '../trace/file.js'
import { defineCommand, flag, readNotedRun, repeated, runOption } from './command.js'
import { matchTrial } from './trace.js'

/** Reports that are wanted beside those in the run's folder, and the trials that pages show on a timeline. */
export function outputOptions() {
  const known = [...pluginFiles('reporter').keys()].map((name) => `.${name}`).join(', ')
  return {
    output: {
      ...repeated(`Also write a report to this file, by its extension: ${known}; may be repeated`),
      alias: 'o',
    },
    reporter: repeated('An EXTENSION.reporter.ts file of your own, for -o FILE.EXTENSION; may be repeated'),
    timeline: repeated('A trial that pages show on a timeline (default: a telling one per case); may be repeated'),
  }
}
type OutputOptions = Partial<InferredOptionTypes<ReturnType<typeof outputOptions>>>

/** A file that is wanted, and who writes it. */
export type Output = [path: string, reporter: Reporter]

/** Before anything runs: the reporter of every wanted file, by its extension. `hook`: what there is to report. */
export async function outputsOf(
  { output = [], reporter: own = [] }: OutputOptions,
  hook: 'run' | 'comparison',
): Promise<Output[]> {
  const catalogue = createCatalogue()
  const names = own.map((file) => catalogue.nameOf('reporter', file))
  const found = output.map(async (path): Promise<Output> => {
    const name = catalogue.nameOf('reporter', extname(path).slice(1))
    const reporter = catalogue.has('reporter', name) ? await catalogue.reporter(name) : null
    if (reporter?.[hook] !== undefined) return [path, reporter]
    const all = await Promise.all([...pluginFiles('reporter').keys(), ...names].map(catalogue.reporter))
    const able = all.filter((one) => one[hook] !== undefined).map((one) => `.${one.name}`)
    const what = hook === 'run' ? 'report' : 'comparison'
    throw new UserError(`No ${what} can be written to "${path}": its extension must be one of ${able.join(', ')}.`)
  })
  const outputs = await Promise.all(found)
  const idle = names.find((name) => !outputs.some(([, { name: used }]) => used === name))
  if (idle !== undefined) throw new UserError(`The reporter "${idle}" has nothing to write: add -o FILE.${idle}.`)
  return outputs
}

/** Before anything runs: does every wanted timeline belong to a trial of the plan? */
export function checkTimelines({ timeline = [] }: OutputOptions, ids: readonly string[]): void {
  for (const trial of timeline) matchTrial(trial, ids, 'this plan')
}

export function writeReport(path: string, text: string): void {
  try {
    makeFolder(dirname(path))
    writeWhole(path, text)
  } catch (error) {
    throw unwritable(`The report "${path}"`, error)
  }
}

/** What every run's folder holds. */
const FILES = ['report.html', 'report.md', 'summary.csv', 'summary.json', 'junit.xml']
export const REPORTS = [...FILES, 'trials.csv'].join(', ')

interface Wanted extends Pick<OutputOptions, 'timeline'> {
  outputs: readonly Output[]
  /** What the run has measured; where it is not known, it is found by the run's header. */
  metrics?: readonly Metric[]
  /** Files of metrics that are measured now, from the traces. */
  metric?: readonly string[] | undefined
}

/** Makes all reports of a run anew from its `run.json`, `trials.jsonl` and traces, and those that are wanted elsewhere. */
export async function writeReports(folder: string, wanted: Wanted): Promise<Summary> {
  const { header, lines: kept } = readNotedRun(folder)
  const { metrics, added } = await metricsOf(header, wanted)
  const lines: TrialLine[] = []
  for (const line of kept) lines.push(await measuredAnew(folder, line, added))
  const { factors, fronts = false } = header.suite
  const figures = summarise(lines, { metrics })
  const contrasts = factors === undefined ? [] : contrastsOf(figures, lines, factors)
  const whole = {
    ...figures,
    ...(contrasts.length > 0 && { contrasts }),
    ...(fronts && { fronts: frontsOf(figures, lines) }),
  }
  const summary = withEfforts(whole, header.preflight ?? [])
  const ids = lines.map(({ identity }) => identity.id)
  const input: Omit<ReportInput, 'codebook'> = {
    title: `sora-bench: ${header.suite.name}`,
    facts: facts(header, lines.length),
    folder,
    summary,
    lines: () => lines,
    trace: (id) => keptTrace(folder, id),
    timelines: (wanted.timeline ?? []).map((trial) => matchTrial(trial, ids, folder)),
  }
  const book = join(folder, 'codebook.md')
  writeReport(book, codebook(metrics))
  await writeTrials(join(folder, 'trials.csv'), lines)
  if (contrasts.length > 0) writeReport(join(folder, 'contrasts.csv'), contrastsCsv(contrasts))
  const own = await outputsOf({ output: FILES.map((file) => join(folder, file)) }, 'run')
  for (const [path, reporter] of [...own, ...wanted.outputs]) {
    const link = relative(dirname(path), book).replaceAll('\\', '/')
    writeReport(path, (await reporter.run?.({ ...input, codebook: link })) ?? '')
  }
  return summary
}

async function writeTrials(path: string, lines: readonly TrialLine[]): Promise<void> {
  const next = `${path}.next`
  try {
    await writeTrialsCsv(next, () => lines)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw unwritable(`The report "${path}"`, error)
  }
}

/** The metrics of a run, and those of the files that are to be measured now. */
async function metricsOf(
  { plugins }: RunHeader,
  { metrics, metric = [] }: Wanted,
): Promise<{ metrics: readonly Metric[]; added: Metric[] }> {
  if (metrics !== undefined) return { metrics, added: [] }
  const catalogue = createCatalogue()
  const names = metric.map((file) => catalogue.nameOf('metric', file))
  const added = (await Promise.all(names.map(catalogue.metricsIn))).flat()
  const found = await metricsWith([...metric.map((file) => resolve(file)), ...plugins])
  for (const file of found.gone)
    process.stderr.write(`The metric file "${file}" is gone: its figures are in the CSV files alone.\n`)
  return { metrics: found.metrics, added }
}

/** The line with these metrics, from its trace. What kept no trace has no value. */
async function measuredAnew(folder: string, line: TrialLine, metrics: readonly Metric[]): Promise<TrialLine> {
  if (metrics.length === 0) return line
  const { trace } = await keptTrace(folder, line.identity.id)
  const values = trace === null ? {} : measure(trace, metrics)
  const all = Object.entries({ ...line.metrics, ...values }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...line, metrics: Object.fromEntries(all) }
}

async function keptTrace(folder: string, id: string): Promise<KeptTrace> {
  const path = tracePath(folder, { id })
  if (!existsSync(path)) return { trace: null, note: `The run kept no trace of ${id}.` }
  try {
    return await readTrace(path)
  } catch (error) {
    if (error instanceof UserError) return { trace: null, note: error.message }
    throw error
  }
}

export function printReport(summary: Summary): string {
  return consoleReport(summary, { columns: process.stdout.columns ?? 120 })
}

/** How a real model was asked in the end. */
function endpointFact({ endpoint, servedBy, toolCalls, structured, limit, effort, context, rungs }: Preflight): string {
  return [
    `at ${endpoint}${servedBy === null ? '' : `, answers as ${servedBy}`}`,
    `tool calls: ${toolCalls}`,
    `structured answers: ${structured}`,
    `output limit: ${limit ?? 'none'}`,
    ...(effort === null ? [] : [`effort ${effort}`]),
    ...(context === null ? [] : [`context ${context} tokens`]),
    ...rungs.map(({ rung, said }) => `${rung} (${said})`),
  ].join('; ')
}

/** A model whose reasoning was off is another model than its name says. */
function withEfforts(summary: Summary, found: readonly Preflight[]): Summary {
  const off = new Set(found.flatMap(({ model, effort }) => (effort === 'none' ? [model] : [])))
  const labelled = (model: string | null): string | null =>
    model !== null && off.has(model) && !model.includes('effort=none') ? `${model} (effort none)` : model
  return { ...summary, groups: summary.groups.map((group) => ({ ...group, model: labelled(group.model) })) }
}

function facts(header: RunHeader, done: number): [string, string][] {
  const { suite, host } = header
  return [
    ['suite', `${suite.name}: ${suite.summary}`],
    ['trials', done === header.trials ? String(done) : `${done} of ${header.trials}: the run was interrupted`],
    ['seed', String(suite.seed)],
    ['models', header.models.join(', ')],
    ...(header.preflight ?? []).map((each): [string, string] => [each.model, endpointFact(each)]),
    ['clock and thinking', `${header.clock}, ${thinkingPolicies(suite).join(', ')}`],
    ['started', header.startedAt],
    ['revision', header.revision ?? 'unknown'],
    ['made with', `sora-bench ${host.sorabench}, Node ${host.node}, ${host.platform}`],
  ]
}

/** One summary of several runs, such as of several models. Throws `UserError` for what does not go together. */
async function summariseAll(folders: readonly string[]): Promise<Summary> {
  const runs = folders.map((folder) => ({ folder, ...readNotedRun(folder) }))
  const versions = new Map<string, { version: string; folder: string }>()
  const trials = new Map<string, string>()
  for (const { folder, header, lines } of runs) {
    for (const [name, version] of Object.entries({ ...header.versions, clock: header.clock })) {
      const other = versions.get(name) ?? { version, folder }
      versions.set(name, other)
      if (other.version !== version)
        throw new UserError(
          `"${other.folder}" has ${name} ${other.version}, and "${folder}" ${version}: one table would mix them. Use \`sora-bench compare\`.`,
        )
    }
    for (const { identity } of lines) {
      const other = trials.get(identity.id)
      trials.set(identity.id, folder)
      if (other !== undefined)
        throw new UserError(
          `"${other}" and "${folder}" both hold the trial "${identity.id}". Use \`sora-bench compare\`.`,
        )
    }
  }
  const { metrics } = await metricsWith(runs.flatMap(({ header }) => header.plugins))
  const figures = summarise(
    runs.flatMap(({ lines }) => lines),
    { metrics },
  )
  return withEfforts(
    figures,
    runs.flatMap(({ header }) => header.preflight ?? []),
  )
}

/** Makes a run's reports again and prints the table. */
export const reportCommand = defineCommand({
  command: 'report [runs..]',
  describe: 'Make a run’s reports again, and print its comparison table; or print one table of several runs',
  builder: (y) =>
    y
      .positional('runs', { ...runOption, array: true })
      .options(outputOptions())
      .option('metric', repeated('A NAME.metric.ts file to measure now, from the traces; may be repeated'))
      .option('json', flag('Print the summary as JSON'))
      .example('$0 report', 'of the latest run')
      .example('$0 report results/mine --json', 'as data')
      .example('$0 report results/monday results/tuesday', 'the models of two runs in one table')
      .example('$0 report --metric ./waits.metric.ts', 'with a metric that came later')
      .example('$0 report -o table.tex -o page.html --timeline s-ora/sim:typical/3', 'as LaTeX and as a page'),
  async run({ runs = [], json, ...given }) {
    if (runs.length > 1) {
      const alone = (['output', 'reporter', 'timeline', 'metric'] as const).find((name) => given[name] !== undefined)
      if (alone !== undefined)
        throw new UserError(
          `--${alone} is for one run: of ${runs.length} runs a table is printed, or with --json a summary.`,
        )
      const together = await summariseAll(runs.map((run) => findRun(run)))
      process.stdout.write(json ? summaryJson(together) : printReport(together))
      return
    }
    const outputs = await outputsOf(given, 'run')
    const folder = findRun(runs[0])
    const summary = await writeReports(folder, { ...given, outputs })
    process.stdout.write(json ? summaryJson(summary) : printReport(summary))
    process.stderr.write(`Reports: ${[folder, ...(given.output ?? [])].join(', ')} (${REPORTS})\n`)
  },
})
