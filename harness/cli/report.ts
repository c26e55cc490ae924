import { existsSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import type { Argv, CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import type { KeptTrace, ReportInput, Reporter, Summary } from '../contract/index.js'
import { codebook } from '../metrics/measure.js'
import { consoleReport } from '../report/console.js'
import { writeTrialsCsv } from '../report/formats/csv.reporter.js'
import { summarise, summaryJson } from '../report/summary.js'
import { loadMetrics, loadReporter, pluginFiles } from '../run/registry.js'
import { findRun, makeFolder, readRun, tracePath } from '../run/store.js'
import type { RunHeader } from '../run/store.js'
import { readTrace } from '../trace/file.js'
import { matchTrial } from './trace.js'

/** Reports that are wanted beside those in the run's folder, and the trials that pages show on a timeline. */
export interface OutputOptions {
  output?: string[] | undefined
  timeline?: string[] | undefined
}

export function outputOptions<T>(y: Argv<T>): Argv<T & OutputOptions> {
  const known = [...pluginFiles('reporter').keys()].map((name) => `.${name}`).join(', ')
  return y
    .option('output', {
      alias: 'o',
      type: 'string',
      array: true,
      nargs: 1,
      describe: `Also write a report to this file, by its extension: ${known}; may be repeated`,
    })
    .option('timeline', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'A trial that pages show on a timeline (default: a telling one per case); may be repeated',
    })
}

/** Before anything runs: has every wanted file a reporter? */
export function checkOutputs({ output = [] }: OutputOptions): void {
  for (const path of output) reporterOf(path)
}

/** Before anything runs: does every wanted timeline belong to a trial of the plan? */
export function checkTimelines({ timeline = [] }: OutputOptions, ids: readonly string[]): void {
  for (const trial of timeline) matchTrial(trial, ids, 'this plan')
}

/** The name of the reporter of a file. */
function reporterOf(path: string): string {
  const name = extname(path).slice(1)
  const known = pluginFiles('reporter')
  if (known.has(name)) return name
  const extensions = [...known.keys()].map((extension) => `.${extension}`).join(', ')
  throw new UserError(`No report can be written to "${path}": its extension must be one of ${extensions}.`)
}

export function writeReport(path: string, text: string): void {
  try {
    makeFolder(dirname(path))
    writeFileSync(path, text)
  } catch (error) {
    throw new UserError(
      `The report "${path}" cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** What every run's folder holds. */
const FILES = ['report.html', 'report.md', 'summary.csv', 'summary.json', 'junit.xml']
export const REPORTS = [...FILES, 'trials.csv'].join(', ')

/** Makes all reports of a run anew from its `run.json`, `trials.jsonl` and traces, and those that are wanted elsewhere. */
export async function writeReports(folder: string, { output = [], timeline = [] }: OutputOptions): Promise<Summary> {
  const metrics = await loadMetrics()
  const { header, lines, notes } = readRun(folder)
  for (const note of notes) process.stderr.write(`${note}\n`)
  const summary = summarise(lines, { metrics })
  const ids = lines.map(({ identity }) => identity.id)
  const input: Omit<ReportInput, 'codebook'> = {
    title: `sora-bench: ${header.suite.name}`,
    facts: facts(header, lines.length),
    folder,
    summary,
    lines: () => lines,
    trace: (id) => keptTrace(folder, id),
    timelines: timeline.map((trial) => matchTrial(trial, ids, folder)),
  }
  const book = join(folder, 'codebook.md')
  writeFileSync(book, codebook(metrics))
  await writeTrialsCsv(join(folder, 'trials.csv'), () => lines)
  for (const path of [...FILES.map((file) => join(folder, file)), ...output]) {
    const reporter = await loadReporter<Reporter>(reporterOf(path))
    const link = relative(dirname(path), book).replaceAll('\\', '/')
    if (reporter.run !== undefined) writeReport(path, await reporter.run({ ...input, codebook: link }))
  }
  return summary
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

function facts(header: RunHeader, done: number): [string, string][] {
  const { suite, host } = header
  return [
    ['suite', `${suite.name}: ${suite.summary}`],
    ['trials', done === header.trials ? String(done) : `${done} of ${header.trials}: the run was interrupted`],
    ['seed', String(suite.seed)],
    ['models', header.models.join(', ')],
    ['clock and thinking', `${header.clock}, ${[suite.thinking].flat().join(', ')}`],
    ['started', header.startedAt],
    ['revision', header.revision ?? 'unknown'],
    ['made with', `sora-bench ${host.sorabench}, Node ${host.node}, ${host.platform}`],
  ]
}

interface ReportArguments extends OutputOptions {
  run: string | undefined
  json: boolean
}

/** Makes a run's reports again and prints the table. */
export const reportCommand: CommandModule<object, ReportArguments> = {
  command: 'report [run]',
  describe: 'Make a run’s reports again, and print its comparison table',
  builder: (y) =>
    outputOptions(y.positional('run', { type: 'string', describe: 'The run’s folder or name (default: the latest)' }))
      .option('json', { type: 'boolean', default: false, describe: 'Print the summary as JSON' })
      .example('$0 report', 'of the latest run')
      .example('$0 report results/mine --json', 'as data')
      .example('$0 report -o table.tex -o page.html --timeline s-ora/sim:typical/3', 'as LaTeX and as a page'),
  async handler({ run, json, ...outputs }) {
    checkOutputs(outputs)
    const folder = findRun(run)
    const summary = await writeReports(folder, outputs)
    process.stdout.write(json ? summaryJson(summary) : printReport(summary))
    process.stderr.write(`Reports: ${[folder, ...(outputs.output ?? [])].join(', ')} (${REPORTS})\n`)
  },
}
