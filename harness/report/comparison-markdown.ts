import type { Comparison, GroupComparison, MetricComparison } from '../compare/comparison.js'
import { isRegression } from '../compare/gate.js'
import type { Failure, GateResult } from '../compare/gate.js'
import { confidence, groupTable, hasNews, metricCells } from './comparison-table.js'
import { changeLines, comparisonNotes, headline, sideText } from './comparison-text.js'
import { escape, rows } from './markdown.js'

const MOST_FAILURES = 10
const MOST_ROWS = 20
const MOST_KINDS = 10

/** Fit for a pull request: what differs in a short table, everything else folded. */
export function markdownComparison(comparison: Comparison, { failures, undecided }: GateResult): string {
  const { base, candidate, groups } = comparison
  const told = groups.filter(hasNews)
  return [
    `### sora-bench: ${escape(headline(comparison))}`,
    `${escape(sideText(base))} → ${escape(sideText(candidate))}`,
    ...(undecided === null ? [] : [escape(undecided)]),
    ...failing(failures),
    ...differing(comparison),
    ...told.map((group) => details(escape(`${group.label}: ${groupHeadline(group)}`), groupBody(comparison, group))),
    details(
      'How to read this',
      comparisonNotes(comparison)
        .map((note) => `- ${escape(note)}`)
        .join('\n'),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

function failing(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return []
  const told = failures.slice(0, MOST_FAILURES).map(({ sentence }) => `- ${escape(sentence)}`)
  const more = failures.length > MOST_FAILURES ? [`- … and ${failures.length - MOST_FAILURES} more`] : []
  return [['The gate fails:', '', ...told, ...more].join('\n')]
}

/** The metrics that differ, of all groups; regressions first. */
function differing(comparison: Comparison): string[] {
  const found = comparison.groups.flatMap(({ label, metrics }) =>
    metrics.filter(isNews).map((metric) => ({ label, metric })),
  )
  if (found.length === 0) return []
  const sorted = found.toSorted((a, b) => Number(isRegression(b.metric)) - Number(isRegression(a.metric)))
  const body = sorted.slice(0, MOST_ROWS).map(({ label, metric }) => {
    const [name = '', n = '', before = '', after = '', change = '', p = '', verdict = ''] = metricCells(metric)
    return [label, name, n, before, after, change, p, verdict]
  })
  const head = ['group', 'metric', 'n', 'base', 'candidate', `change [${confidence(comparison)}]`, 'p', 'verdict']
  const table = rows([head, ...body], ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'])
  return found.length > MOST_ROWS ? [table, `… and ${found.length - MOST_ROWS} more below.`] : [table]
}

const isNews = ({ family, verdict }: MetricComparison): boolean =>
  family === 'confirmatory' && (verdict === 'worse' || verdict === 'better' || verdict === 'differs')

function groupHeadline({ changes, metrics }: GroupComparison): string {
  const counts = (['worse', 'better', 'differs', 'equivalent', 'no evidence', 'unchanged'] as const).flatMap(
    (verdict) => {
      const found = metrics.filter((metric) => metric.verdict === verdict).length
      return found === 0 ? [] : [`${found} ${verdict}`]
    },
  )
  const exact = changes === null ? [] : [`${changes.changed} of ${changes.trials} trials changed`]
  return [...exact, ...counts].join(', ')
}

function groupBody(comparison: Comparison, group: GroupComparison): string {
  const { columns, rows: cells } = groupTable(comparison, group, ({ verdict }) => verdict !== 'unchanged')
  const table = rows(
    [columns.map(({ title }) => title), ...cells],
    columns.map(({ align }) => align),
  )
  const changes = changeLines(group, MOST_KINDS).map((line) => `- ${escape(line)}`)
  return [...(changes.length > 0 ? [changes.join('\n')] : []), ...(cells.length > 0 ? [table] : [])].join('\n\n')
}

/** `summary` is escaped already. */
const details = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`
