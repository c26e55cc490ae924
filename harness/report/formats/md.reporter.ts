import { OUTCOMES, defineReporter } from '../../contract/index.js'
import type { Group, Summary } from '../../contract/index.js'
import { behaviourSentences } from '../behaviours.js'
import { markdownComparison } from '../compare/formats.js'
import { contrastTables } from '../contrast-table.js'
import { NO_GATE } from '../compare/gate.js'
import { frontTables } from '../front.js'
import { notes } from '../notes.js'
import { cases, comparisonTable, identityFields, oneLine } from '../table.js'
import type { Table } from '../table.js'
import { code, escape, rows } from './markup.js'

interface MarkdownOptions {
  title: string
  /** What identifies the run, e.g. `['seed', '1']`. */
  facts: readonly (readonly [label: string, value: string])[]
  /** Where the metrics are defined: a link. */
  codebook: string
}

/** `report.md`: who ran what, the comparison per case, how trials ended, and how to read it. */
export function markdownReport(summary: Summary, { title, facts, codebook }: MarkdownOptions): string {
  const tables = comparisonTable(summary)
  const sections = cases(summary).map(({ groups }, index) => {
    const table = tables[index]
    return table === undefined ? '' : caseSection(table, groups)
  })
  return [
    `# ${escape(title)}`,
    rows([['run', ''], ...facts]),
    ...sections,
    ...[...contrastTables(summary.contrasts ?? []), ...frontTables(summary)].flatMap((table) => [
      heading(table),
      gridOf(table),
    ]),
    '## Notes',
    [
      ...notes(summary).map((note) => `- ${escape(note)}`),
      `- All metrics are defined in the [codebook](${codebook}).`,
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

function caseSection(table: Table, groups: readonly Group[]): string {
  const [first] = groups
  return [
    heading(table),
    ...(first === undefined
      ? []
      : [
          `Version ${escape(first.environment.version)}, parameters: ${code(JSON.stringify(first.environment.params))}`,
        ]),
    gridOf(table),
    '### Outcomes (trials)',
    outcomes(groups),
    ...behaviours(groups),
  ].join('\n\n')
}

const heading = ({ caption, simulated }: Table): string =>
  `## ${escape(caption)}${simulated ? ' (simulated model)' : ''}`

const gridOf = ({ columns, rows: body }: Table): string =>
  rows(
    [columns.map(({ title }) => oneLine(title)), ...body],
    columns.map(({ align }) => align),
  )

/** Only the outcomes that happened. */
function outcomes(groups: readonly Group[]): string {
  const seen = OUTCOMES.filter((outcome) => groups.some((group) => group.outcomes[outcome] > 0))
  const head = [...identityFields(groups).map(({ title }) => title), 'trials', ...seen]
  const body = groups.map((group) =>
    [...identity(group, groups), group.trials, ...seen.map((outcome) => group.outcomes[outcome])].map(String),
  )
  return rows([head.map((title) => title.replaceAll('_', ' ')), ...body])
}

const identity = (group: Group, groups: readonly Group[]): string[] =>
  identityFields(groups).map(({ cell }) => cell(group))

/** What was called in which order: how many trials did alike, and where the others part from them. */
function behaviours(groups: readonly Group[]): string[] {
  const items = groups.flatMap((group) => {
    const [first, ...others] = behaviourSentences(group)
    return first === undefined
      ? []
      : [
          `- ${identity(group, groups).map(escape).join(', ')}: ${escape(first)}`,
          ...others.map((text) => `  - ${escape(text)}`),
        ]
  })
  return items.length === 0 ? [] : ['### Behaviours', items.join('\n')]
}

export default defineReporter({
  name: 'md',
  summary: 'Markdown: the run, a table and the outcomes per case; a comparison fit for a pull request',
  run: ({ summary, ...header }) => markdownReport(summary, header),
  comparison: ({ comparison }) => markdownComparison(comparison, comparison.gate ?? NO_GATE),
})
