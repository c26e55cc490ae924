import type { CommandModule } from 'yargs'
import { UserError } from '../contract/index.js'
import { confirmatoryOf } from '../report/compare/comparison.js'
import { VIOLATED, metricOf } from '../report/compare/pairs.js'
import { draw, narrow, onStdout } from '../report/console.js'
import { trendTable, trends } from '../report/history.js'
import type { PastRun } from '../report/history.js'
import { summarise } from '../report/summary.js'
import { loadMetrics } from '../run/registry.js'
import { readRun, runFolders } from '../run/store.js'
import { split } from './compare.js'

interface HistoryArguments {
  folder: string
  metric: string | undefined
  agent: string | undefined
  json: boolean
}

/** Every run of a folder, as a trend per metric. */
export const historyCommand: CommandModule<object, HistoryArguments> = {
  command: 'history [folder]',
  describe: 'Every run of a folder as a trend per metric, with git revisions',
  builder: (y) =>
    y
      .positional('folder', { type: 'string', default: 'results', describe: 'Where the runs are' })
      .option('metric', { type: 'string', describe: 'Comma list (default: what `compare` watches)' })
      .option('agent', { type: 'string', describe: 'Comma list: these alone' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the trends as JSON' })
      .example('$0 history', 'of results/')
      .example('$0 history results --metric solved,idle_tokens --agent s-ora', 'two figures of one agent'),
  async handler({ folder, metric, agent, json }) {
    const metrics = await loadMetrics()
    const wanted =
      checkedMetrics(split(metric), [...metrics.map(({ name }) => name), VIOLATED]) ?? confirmatoryOf(metrics)
    const runs = runFolders(folder).flatMap((path): PastRun[] => {
      try {
        const { header, lines, notes } = readRun(path)
        for (const note of notes) process.stderr.write(`${note}\n`)
        const { startedAt, revision } = header
        return lines.length === 0 ? [] : [{ run: path, startedAt, revision, summary: summarise(lines, { metrics }) }]
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        process.stderr.write(`Left out: ${error.message}\n`)
        return []
      }
    })
    if (runs.length === 0)
      throw new UserError(`There is no run below "${folder}" yet. Make one with \`sora-bench run\`.`)
    const all = trends(runs, wanted)
    const shown = selected(all, split(agent))
    if (json) {
      process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
      return
    }
    const width = process.stdout.columns ?? 160
    const tables = shown.map((trend) => draw(narrow(trendTable(trend, all), width), width, onStdout))
    process.stdout.write(`${tables.join('\n\n')}\n`)
  },
}

function checkedMetrics(asked: string[] | undefined, known: string[]): string[] | undefined {
  const unknown = asked?.find((name) => !known.includes(metricOf(name)))
  if (unknown !== undefined) throw new UserError(`No metric named "${unknown}". Known: ${known.toSorted().join(', ')}.`)
  return asked
}

function selected<T extends { agent: { name: string } }>(
  all: readonly T[],
  agents: string[] | undefined,
): readonly T[] {
  if (agents === undefined) return all
  const known = new Set(all.map(({ agent }) => agent.name))
  const unknown = agents.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new UserError(`No run has an agent named "${unknown}". Known: ${[...known].toSorted().join(', ')}.`)
  return all.filter(({ agent }) => agents.includes(agent.name))
}
