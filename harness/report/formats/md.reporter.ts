import { OUTCOMES, defineReporter } from '../../contract/index.js'
import type { Group, Summary } from '../../contract/index.js'
import { behaviourSentences } from '../behaviours.js'
import { markdownComparison } from '../compare/formats.js'
import { contrastTables } from '../contrast-table.js'
import { NO_GATE } from '../compare/gate.js'
import { costInWords } from '../costs.js'
import { frontTables } from '../front.js'
import { notes } from '../notes.js'
import { agentLabel, cases, comparisonTable, identityFields, oneLine } from '../table.js'
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
    return table === undefined ? '' : caseSection(table, groups, summary)
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

function caseSection(table: Table, groups: readonly Group[], summary: Summary): string {
  const [first] = groups
  return [
    heading(table),
    ...(first === undefined
      ? []
      : [
          `Version ${escape(first.environment.version)}, parameters: ${code(JSON.stringify(first.environment.params))}`,
        ]),
    gridOf(table),
    ...costs(groups, summary),
    '### Outcomes (trials)',
    outcomes(groups),
    ...behaviours(groups),
  ].join('\n\n')
}

/** Who costs less than whom. */
function costs(groups: readonly Group[], summary: Summary): string[] {
  const body = summary.costs.flatMap((cost) => {
    const [base, candidate] = [summary.groups[cost.base], summary.groups[cost.candidate]]
    if (base === undefined || candidate === undefined || !groups.includes(base)) return []
    return [[...identity(candidate, groups), agentLabel(base, groups), String(cost.scenarios), costInWords(cost)]]
  })
  const head = [...identityFields(groups).map(({ title }) => title), 'beside', 'n', 'billed tokens']
  return body.length === 0 ? [] : ['### Costs', rows([head, ...body])]
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
