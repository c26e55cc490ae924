import type { CommandModule } from 'yargs'
import { findRun } from '../run/store.js'
import { checkOutputs, outputOptions } from './outputs.js'
import type { OutputOptions } from './outputs.js'
import { printReport, REPORTS, writeReports } from './reports.js'

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
    process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : printReport(summary))
    process.stderr.write(`Reports: ${[folder, ...(outputs.output ?? [])].join(', ')} (${REPORTS})\n`)
  },
}
