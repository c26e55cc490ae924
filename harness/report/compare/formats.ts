import { VERDICTS } from '../../contract/index.js'
import type { Comparison, Failure, GateResult, GroupComparison, MetricComparison } from '../../contract/index.js'
import { clean, counted } from '../../trace/text.js'
import { draw, narrow, onStdout, wrap } from '../console.js'
import type { ConsoleOptions } from '../console.js'
import { escape, escapeXml, junit, rows } from '../formats/markup.js'
import type { Case } from '../formats/markup.js'
import { isRegression } from './gate.js'
import {
  changeLines,
  changeText,
  comparisonNotes,
  confidence,
  costLines,
  groupTable,
  hasNews,
  headline,
  metricCells,
  sideText,
  verdictText,
} from './text.js'

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
    const lines = [...costLines(group), ...changeLines(group, MOST_CONSOLE_KINDS)].flatMap((line) =>
      wrap(line, columns - 2).map((text) => `  ${text}`),
    )
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

const MOST_FAILURES = 10
const MOST_ROWS = 20
const MOST_KINDS = 10

/** Fit for a pull request: what differs in a short table, everything else folded. */
export function markdownComparison(comparison: Comparison, { failures, undecided }: GateResult): string {
  const { base, candidate, groups } = comparison
  const told = groups.filter(hasNews)
  const notes = comparisonNotes(comparison)
  return [
    `### sora-bench: ${escape(headline(comparison))}`,
    `${escape(sideText(base))} → ${escape(sideText(candidate))}`,
    ...(undecided === null ? [] : [escape(undecided)]),
    ...failing(failures),
    ...differing(comparison),
    ...told.map((group) => details(escape(`${group.label}: ${groupHeadline(group)}`), groupBody(comparison, group))),
    ...(notes.length === 0 ? [] : [details('How to read this', notes.map((note) => `- ${escape(note)}`).join('\n'))]),
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
  const body = sorted.slice(0, MOST_ROWS).map(({ label, metric }) => [label, ...metricCells(metric)])
  const head = ['group', 'metric', 'n', 'base', 'candidate', `change [${confidence(comparison)}]`, 'p', 'verdict']
  const table = rows([head, ...body], ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'])
  return found.length > MOST_ROWS ? [table, `… and ${found.length - MOST_ROWS} more below.`] : [table]
}

const isNews = ({ family, verdict }: MetricComparison): boolean =>
  family === 'confirmatory' && (verdict === 'worse' || verdict === 'better' || verdict === 'differs')

function groupHeadline({ changes, metrics }: GroupComparison): string {
  const counts = VERDICTS.flatMap((verdict) => {
    const found = metrics.filter((metric) => metric.verdict === verdict).length
    return found === 0 ? [] : [`${found} ${verdict}`]
  })
  const exact = changes === null ? [] : [`${changes.changed} of ${counted(changes.trials, 'trial')} changed`]
  return [...exact, ...counts].join(', ')
}

function groupBody(comparison: Comparison, group: GroupComparison): string {
  const { columns, rows: cells } = groupTable(comparison, group, ({ verdict }) => verdict !== 'unchanged')
  const table = rows(
    [columns.map(({ title }) => title), ...cells],
    columns.map(({ align }) => align),
  )
  const changes = [...costLines(group), ...changeLines(group, MOST_KINDS)].map((line) => `- ${escape(line)}`)
  return [...(changes.length > 0 ? [changes.join('\n')] : []), ...(cells.length > 0 ? [table] : [])].join('\n\n')
}

/** `summary` is escaped already. */
const details = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`

/** JUnit: a test suite per group, a test case per confirmatory metric and one for the behaviour; what fails the gate is a failure. */
export function junitComparison(comparison: Comparison, { failures, undecided }: GateResult): string {
  const { groups } = comparison
  const suites = groups.map(({ label, metrics }) => {
    const own = failures.filter(({ group }) => group === label)
    const watched = metrics.filter(({ family }) => family === 'confirmatory')
    const behaviour = own.filter(({ metric }) => metric === null)
    const cases = [...watched.map((metric) => metricCase(label, metric, own)), testCase(label, 'behaviour', behaviour)]
    return { name: label, cases }
  })
  const others = failures.filter(({ group }) => groups.every(({ label }) => label !== group))
  const whole = [
    ...others.map((failure) => testCase('comparison', failure.group, [failure])),
    ...(undecided === null ? [] : [testCase('comparison', 'decidable', [{ sentence: undecided }], 'error')]),
  ]
  return junit(headline(comparison), whole.length === 0 ? suites : [...suites, { name: 'comparison', cases: whole }])
}

function metricCase(label: string, metric: MetricComparison, failures: readonly Failure[]): Case {
  const own = failures.filter((failure) => failure.metric === metric.column)
  const found = `${verdictText(metric)}: ${changeText(metric)}`
  const because = own.map(({ sentence }) => ({ sentence: `${sentence} ${found}` }))
  return testCase(label, metric.column, because)
}

function testCase(
  className: string,
  name: string,
  because: readonly Pick<Failure, 'sentence'>[],
  state: Case['state'] = 'failure',
): Case {
  const head = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`
  if (because.length === 0) return { text: `${head}/>`, state: 'passed' }
  const message = escapeXml(because.map(({ sentence }) => sentence).join(' '))
  return { text: `${head}><${state} message="${message}"/></testcase>`, state }
}
