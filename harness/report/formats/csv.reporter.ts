import { writeFile } from 'node:fs/promises'
import { createObjectCsvStringifier } from 'csv-writer'
import { defineReporter } from '../../contract/index.js'
import type { ContrastFigure, Contrasts, Group, Json, Rate, Summary, TrialLine } from '../../contract/index.js'
import { harmless } from '../../trace/text.js'

type Cell = string | number | boolean | null
type Row = Record<string, Cell>

/** One row per trial. `lines` is read twice: the columns are the union of all metrics, and no line is kept. */
export async function writeTrialsCsv(path: string, lines: () => Iterable<TrialLine>): Promise<void> {
  const names = new Set<string>()
  for (const { metrics } of lines()) for (const name of Object.keys(metrics)) names.add(name)
  const metrics = [...names].filter((name) => name !== 'outcome').toSorted()
  await writeFile(path, csvOf([...Object.keys(identity), 'outcome', 'error', ...metrics], trialRows(lines())))
}

function* trialRows(lines: Iterable<TrialLine>): Iterable<Row> {
  for (const line of lines) {
    const own = Object.entries(identity).map(([name, of]): [string, Cell] => [name, of(line)])
    yield { ...line.metrics, ...Object.fromEntries(own), outcome: line.outcome, error: line.error }
  }
}

const identity: Record<string, (line: TrialLine) => Cell> = {
  id: (line) => line.identity.id,
  environment: (line) => line.identity.scenario.environment,
  environment_version: (line) => line.identity.scenario.environmentVersion,
  environment_params: (line) => json(line.identity.scenario.params),
  scenario: (line) => line.identity.scenario.index,
  seed: (line) => line.identity.scenario.seed,
  agent: (line) => line.identity.agent,
  agent_version: (line) => line.identity.agentVersion,
  agent_params: (line) => json(line.identity.agentParams),
  model: (line) => line.identity.model,
  replica: (line) => line.identity.replica,
  clock: (line) => line.identity.clock,
  thinking: (line) => line.identity.thinking,
}

/** One row per group and measure, so that a new metric adds rows and never moves a column. */
export function summaryCsv(summary: Summary): string {
  return [...csvOf(summaryColumns, summary.groups.flatMap(groupRows))].join('')
}

const summaryColumns = [
  'environment environment_version environment_params agent agent_version agent_params model thinking',
  'trials scenarios infrastructure_errors measure unit better n missing events',
  'mean low high upper median p90',
].flatMap((names) => names.split(' '))

function groupRows(group: Group): Row[] {
  const own: Row = {
    environment: group.environment.name,
    environment_version: group.environment.version,
    environment_params: json(group.environment.params),
    agent: group.agent.name,
    agent_version: group.agent.version,
    agent_params: json(group.agent.params),
    model: group.model,
    thinking: group.thinking,
    trials: group.trials,
    scenarios: group.scenarios,
    infrastructure_errors: group.infrastructureErrors,
  }
  const rate = (measure: string, better: string, { rate: mean, events, n, low, high, upper }: Rate): Row => {
    return { ...own, measure, unit: 'share', better, n, missing: group.scenarios - n, events, mean, low, high, upper }
  }
  return [
    rate('rate:solved', 'higher', group.solved),
    rate('rate:violated', 'lower', group.violated),
    ...Object.entries(group.metrics).map(([measure, { rate: share, ...metric }]): Row => {
      const { events = null, low = null, high = null, upper = null } = share ?? {}
      return { ...own, measure, ...metric, events, low, high, upper }
    }),
  ]
}

/** `contrasts.csv`: one row per outcome, contrast and scope: all worlds, one of them, or all but one. */
export function contrastsCsv(all: readonly Contrasts[]): string {
  const rows = all.flatMap(({ model, thinking, worlds, outcomes }) =>
    outcomes.flatMap(({ name: outcome, kind: of, unit, confirmatory, n, missing, contrasts }) =>
      contrasts.flatMap(({ name, kind, mean, worlds: each, without, holm, agrees = null }) => {
        const row = (scope: string, world: number | null, figure: ContrastFigure | null): Row => ({
          model,
          thinking,
          outcome,
          of,
          unit,
          confirmatory,
          contrast: name,
          kind,
          scope,
          world: world === null ? null : (worlds[world] ?? ''),
          n: world === null ? null : (n[world] ?? 0),
          missing: world === null ? null : (missing[world] ?? 0),
          ...figure,
        })
        return [
          { ...row('mean', null, mean), p_holm: holm, sign_agrees: agrees },
          ...each.map((one, world) => row('world', world, one)),
          ...without.map((one, world) => row('without', world, one)),
        ]
      }),
    ),
  )
  return [...csvOf(contrastColumns, rows)].join('')
}

const contrastColumns =
  'model thinking outcome of unit confirmatory contrast kind scope world n missing value low high p p_holm sign_agrees'.split(
    ' ',
  )

const json = (value: Json): string => JSON.stringify(value)

/** So many rows become one piece of text. */
const BATCH = 1_000

function* csvOf(columns: readonly string[], rows: Iterable<Row>): Iterable<string> {
  const csv = createObjectCsvStringifier({ header: columns.map((id) => ({ id, title: guard(id) })) })
  yield csv.getHeaderString()
  let batch: Record<string, string>[] = []
  for (const row of rows) {
    batch.push(Object.fromEntries(columns.map((id) => [id, guard(row[id] ?? null)])))
    if (batch.length < BATCH) continue
    yield csv.stringifyRecords(batch)
    batch = []
  }
  // Of no row the library makes a blank line.
  if (batch.length > 0) yield csv.stringifyRecords(batch)
}

/**
 * A spreadsheet takes text that begins with = + - @ (or a control character) for a formula; plain numbers are safe.
 * Carriage returns become spaces: csv-writer does not quote them. Other control characters go: files are shown on
 * terminals, too.
 */
export function guard(cell: Cell): string {
  if (cell === null) return ''
  const text = harmless(String(cell).replaceAll('\r', ' '))
  if (typeof cell !== 'string' || /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return text
  return /^\s*[=+\-@]|^[\t\n]/.test(text) ? `'${text}` : text
}

export default defineReporter({
  name: 'csv',
  summary: 'CSV: one row per case, agent and measure',
  run: ({ summary }) => summaryCsv(summary),
})
