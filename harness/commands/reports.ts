import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UserError } from '../define/index.js'
import { codebook } from '../metrics/codebook.js'
import { consoleReport } from '../report/console.js'
import { writeTrialsCsv } from '../report/csv.js'
import type { KeptTrace, Reporter, ReportInput } from '../report/reporter.js'
import { summarise } from '../report/summary.js'
import type { Summary } from '../report/summary.js'
import { loadMetrics, loadReporter } from '../run/discover.js'
import { readRun, tracePath } from '../run/store.js'
import type { RunHeader } from '../run/store.js'
import { readTrace } from '../trace/file.js'
import { matchTrial } from './find-trace.js'
import { reporterOf, writeReport } from './outputs.js'
import type { OutputOptions } from './outputs.js'

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
    writeReport(path, await reporter.render({ ...input, codebook: link }))
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
