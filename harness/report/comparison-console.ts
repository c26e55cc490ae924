import { onStdout } from './colour.js'
import type { Comparison, MetricComparison } from '../compare/comparison.js'
import { clean } from '../trace/text.js'
import { groupTable, hasNews } from './comparison-table.js'
import { changeLines, comparisonNotes, headline, sideText } from './comparison-text.js'
import type { ConsoleOptions } from './console.js'
import { draw, narrow, wrap } from './console.js'

const MOST_CONSOLE_KINDS = 5

/** A table per group that has news: all confirmatory metrics, and the exploratory ones that differ. */
export function consoleComparison(
  comparison: Comparison,
  { columns = 120, colour = onStdout }: ConsoleOptions = {},
): string {
  const { base, candidate, groups } = comparison
  const told = groups.filter(hasNews)
  const quiet = groups.filter((group) => !hasNews(group))
  const blocks = told.map((group) => {
    const table = groupTable(comparison, group, isShown)
    const lines = changeLines(group, MOST_CONSOLE_KINDS).flatMap((line) => wrap(line, columns - 2).map((text) => `  ${text}`))
    return [draw(narrow(table, columns), columns, colour), ...lines].join('\n')
  })
  return `${[
    `${sideText(base)} → ${sideText(candidate)}`,
    ...wrap(headline(comparison), columns).map(colour.bold),
    ...(blocks.length > 0 ? ['', blocks.join('\n\n')] : []),
    ...(quiet.length > 0 && told.length > 0
      ? ['', ...wrap(`Unchanged: ${quiet.map(({ label }) => clean(label)).join(', ')}.`, columns)]
      : []),
    '',
    ...comparisonNotes(comparison).flatMap((note) => wrap(note, columns).map((line) => colour.dim(line))),
  ].join('\n')}\n`
}

const isShown = ({ family, verdict }: MetricComparison): boolean =>
  family === 'confirmatory' || verdict === 'worse' || verdict === 'better' || verdict === 'differs'
