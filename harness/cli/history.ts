import { UserError } from '../contract/index.js'
import { confirmatoryOf } from '../report/compare/comparison.js'
import { VIOLATED, metricOf } from '../report/compare/pairs.js'
import { draw, narrow, onStdout } from '../report/console.js'
import { trendTable, trends } from '../report/history.js'
import type { PastRun } from '../report/history.js'
import { summarise } from '../report/summary.js'
import { loadMetrics } from '../run/registry.js'
import { runFolders } from '../run/store.js'
import { checkNames, defineCommand, flag, option, readNotedRun, split } from './command.js'

/** Every run of a folder, as a trend per metric. */
export const historyCommand = defineCommand({
  command: 'history [folder]',
  describe: 'Every run of a folder as a trend per metric, with git revisions',
  builder: (y) =>
    y
      .positional('folder', { ...option('Where the runs are'), default: 'results' })
      .option('metric', option('Comma list (default: what `compare` watches)'))
      .option('agent', option('Comma list: these alone'))
      .option('json', flag('Print the trends as JSON'))
      .example('$0 history', 'of results/')
      .example('$0 history results --metric solved,idle_tokens --agent s-ora', 'two figures of one agent'),
  async run({ folder, json, ...given }) {
    const metrics = await loadMetrics()
    const [asked, agents] = [split(given.metric), split(given.agent)]
    const known = [...metrics.map(({ name }) => name), VIOLATED].toSorted()
    const unknown = asked?.filter((name) => !known.includes(metricOf(name))) ?? []
    checkNames(unknown, known, (name) => `No metric named "${name}".`)
    const runs = runFolders(folder).flatMap((path): PastRun[] => {
      try {
        const { header, lines } = readNotedRun(path)
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
    const all = trends(runs, asked ?? confirmatoryOf(metrics))
    const players = [...new Set(all.map(({ agent }) => agent.name))].toSorted()
    checkNames(agents ?? [], players, (name) => `No run has an agent named "${name}".`)
    const shown = all.filter(({ agent }) => agents?.includes(agent.name) ?? true)
    const width = process.stdout.columns ?? 160
    const tables = shown.map((trend) => draw(narrow(trendTable(trend, all), width), width, onStdout))
    process.stdout.write(`${json ? JSON.stringify(shown, null, 2) : tables.join('\n\n')}\n`)
  },
})
