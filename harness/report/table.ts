import { withDelivery } from '../contract/index.js'
import type { JsonObject } from '../contract/index.js'
import { clean, thousands } from '../trace/text.js'
import type { Group, Summary } from './summary.js'

/** Numbers for people; data files keep them as they are. An absent value is a dash, and never a zero. */
export const ABSENT = '–'

export function percent(rate: number | null): string {
  if (rate === null) return ABSENT
  const value = rate * 100
  // What is not all must not read as all, nor what is not nothing as nothing.
  if (rate < 1 && value > 99.5) return '>99 %'
  if (rate > 0 && value < 0.5) return '<1 %'
  return `${Math.round(value)} %`
}

export function rateWithInterval({
  rate,
  low,
  high,
}: {
  rate: number | null
  low: number | null
  high: number | null
}): string {
  if (rate === null || low === null || high === null) return ABSENT
  return `${percent(rate)} [${Math.round(low * 100)}, ${Math.round(high * 100)}]`
}

export function count(value: number | null): string {
  if (value === null) return ABSENT
  if (value > 0 && value < 0.05) return '<0.1'
  if (value < 0 && value > -0.05) return '>-0.1'
  const rounded = Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value)
  return thousands(rounded)
}

export function duration(ms: number | null): string {
  if (ms === null) return ABSENT
  if (ms === 0) return '0 s'
  return ms < 50 ? '<0.1 s' : `${count(ms / 1_000)} s`
}

/** By the unit of a metric: only ms and rates are not plain counts. */
export function quantity(value: number | null, unit: string): string {
  if (unit === 'ms') return duration(value)
  if (unit === 'boolean') return percent(value)
  return count(value)
}

/** A table that knows no medium: console and Markdown draw it. */
export interface Table {
  caption: string
  /** Some rows come from the simulated model. */
  simulated: boolean
  columns: Column[]
  rows: string[][]
}

export interface Column {
  title: string
  align: 'left' | 'right'
  /** Columns of a low importance go first where a table is too wide; 0 never goes. */
  keep: number
}

interface Field extends Column {
  cell: (group: Group) => string
}

/** One table per case. What is equal in all rows stands in the caption, not in a column. */
export function comparisonTable(summary: Summary): Table[] {
  return cases(summary).map(({ caption, groups }) => {
    const fields = [...identityFields(groups), ...measures]
    const models = [...new Set(groups.flatMap(({ model }) => model ?? []))]
    const [model] = models
    const thinking = [...new Set(groups.map((group) => group.thinking))]
    const common = [
      caption,
      ...(models.length === 1 && model !== undefined ? [`model ${clean(model)}`] : []),
      ...(thinking.length === 1 ? [`thinking ${clean(thinking[0] ?? '')}`] : []),
    ]
    return {
      caption: common.join(' · '),
      simulated: models.some((name) => name.startsWith('sim:')),
      columns: fields.map(({ title, align, keep }) => ({ title, align, keep })),
      rows: groups.map((group) => fields.map(({ cell }) => cell(group))),
    }
  })
}

/** The groups of each environment and its parameters, with what tells the cases apart. */
export function cases(summary: Summary): { caption: string; groups: Group[] }[] {
  const byCase = new Map<string, Group[]>()
  for (const group of summary.groups) {
    const key = JSON.stringify(group.environment)
    byCase.set(key, [...(byCase.get(key) ?? []), group])
  }
  return [...byCase.values()].map((groups) => {
    const [first] = groups
    if (first === undefined) throw new Error('A case without a group.')
    const { name } = first.environment
    const siblings = summary.groups.filter(({ environment }) => environment.name === name)
    const differing = differences(
      withDelivery(first.environment.params),
      siblings.map(({ environment }) => withDelivery(environment.params)),
    )
    return { caption: [clean(name), ...differing].join(' '), groups }
  })
}

function identityFields(groups: readonly Group[]): Field[] {
  const models = new Set(groups.flatMap(({ model }) => model ?? []))
  const policies = new Set(groups.map(({ thinking }) => thinking))
  const field = (title: string, cell: Field['cell']): Field => ({ title, align: 'left', keep: 0, cell })
  return [
    field('agent', (group) => agentLabel(group, groups)),
    ...(models.size > 1 ? [field('model', ({ model }) => (model === null ? ABSENT : clean(model)))] : []),
    ...(policies.size > 1 ? [field('thinking', ({ thinking }) => clean(thinking))] : []),
  ]
}

interface Named {
  agent: { name: string; params: JsonObject }
}

/** The name, with the parameters by which agents of one name differ. */
export function agentLabel({ agent }: Named, groups: readonly Named[]): string {
  const siblings = groups.filter((group) => group.agent.name === agent.name)
  return [
    clean(agent.name),
    ...differences(
      agent.params,
      siblings.map((group) => group.agent.params),
    ),
  ].join(' ')
}

/** Where one thing at a time is changed, what most have in common goes without saying. */
function differences(own: JsonObject, all: readonly JsonObject[]): string[] {
  const sets = [...new Map(all.map((params) => [JSON.stringify(params), params])).values()]
  return Object.keys(own)
    .filter((key) => {
      const values = sets.map((params) => JSON.stringify(params[key]))
      const alike = values.filter((value) => value === JSON.stringify(own[key])).length
      return alike < sets.length && !(sets.length > 2 && alike > sets.length / 2)
    })
    .map((key) => clean(`${key}=${JSON.stringify(own[key])}`))
}

const measure = (title: string, keep: number, cell: Field['cell']): Field => ({ title, align: 'right', keep, cell })
const average = (name: string, show: (value: number | null) => string) => (group: Group) =>
  show(group.metrics[name]?.mean ?? null)

/** What programs use is beside these figures. */
const unmeasured = ({ metrics }: Group): string => (metrics['reported.programs'] === undefined ? '' : '*')

/** Every table shows all ways of looking: polls, syncs and resyncs (docs/design.md#metrics). */
const measures: Field[] = [
  measure('n', 0, ({ scenarios, infrastructureErrors }) =>
    infrastructureErrors === 0 ? String(scenarios) : `${scenarios} (${infrastructureErrors}!)`,
  ),
  measure('solved [95 %]', 0, ({ solved }) => rateWithInterval(solved)),
  measure('vio-\nlated', 9, ({ violated }) =>
    violated.rate === null ? ABSENT : `${count(violated.events)}/${violated.n}`,
  ),
  measure('model\ncalls', 8, (group) => average('model_calls', count)(group) + unmeasured(group)),
  measure('tokens', 7, (group) => {
    const { metrics } = group
    const prompt = metrics['prompt_tokens']?.mean ?? null
    const completion = metrics['completion_tokens']?.mean ?? null
    return prompt === null || completion === null ? ABSENT : count(prompt + completion) + unmeasured(group)
  }),
  measure('polls', 6, average('polls', count)),
  measure('empty\npolls', 4, average('empty_polls', count)),
  measure('probes', 3, average('probes', count)),
  measure('syncs', 1, average('syncs', count)),
  measure('re-\nsyncs', 2, average('resyncs', count)),
  measure('sus-\npended', 5, average('suspended_ms', duration)),
  measure('make-\nspan', 5, ({ metrics }) => duration(metrics['makespan_ms']?.median ?? null)),
]

/** What a reader must know to read the tables. */
export function notes(summary: Summary): string[] {
  const broken = summary.groups.reduce((sum, { infrastructureErrors }) => sum + infrastructureErrors, 0)
  const replicated = summary.groups.some(({ trials, scenarios }) => trials > scenarios)
  const clocks = [...new Set(summary.groups.map(({ clock }) => clock))].filter((clock) => clock !== 'virtual')
  const simulated = summary.groups.some(({ model }) => model?.startsWith('sim:') === true)
  return [
    ...(simulated ? [SIMULATED] : []),
    'n counts scenarios, the unit of analysis; [ ] is the Wilson interval at 95 %; violated counts the scenarios with a violation.',
    'Calls, tokens, polls, empty polls, probes, syncs, resyncs and suspended time are means per scenario; makespan is the median of the solved ones, in virtual time.',
    ...clocks.map((clock) => `Real time decided (${clock}): these trials do not come back.`),
    ...summary.groups.flatMap(reportedNote),
    ...(replicated ? ['Replicas are averaged inside their scenario.'] : []),
    ...(broken > 0
      ? [
          `Trials that ended in an infrastructure error (n!): ${broken}. They count as not solved, and are left out of everything else.`,
        ]
      : []),
  ]
}

const SIMULATED =
  'sim: is the simulated model: a parametric reader, not a language model; intervals are Monte-Carlo error of an authored world.'

/** The word of a program stands beside what was measured, never in it. */
function reportedNote(group: Group): string[] {
  if (unmeasured(group) === '') return []
  const said = (key: string): number | null => group.metrics[`reported.${key}`]?.mean ?? null
  const [calls, prompt, completion] = ['calls', 'prompt_tokens', 'completion_tokens'].map(said)
  const own =
    typeof calls === 'number' && typeof prompt === 'number' && typeof completion === 'number'
      ? `By their own word, which nobody has checked: ${count(calls)} calls, ${count(prompt + completion)} tokens per scenario.`
      : 'They report nothing.'
  return [`* ${clean(group.agent.name)}: without what its programs use. ${own}`]
}

/** One line for the console, where there is one case and few agents. */
export function behaviourNotes(summary: Summary): string[] {
  const [only, ...others] = cases(summary)
  if (only === undefined || others.length > 0 || only.groups.length > 8) return []
  const counted = only.groups.flatMap((group) => {
    const { behaviours } = group
    return behaviours === null ? [] : [`${agentLabel(group, only.groups)} ${behaviours.distinct}/${behaviours.trials}`]
  })
  return counted.length === 0 ? [] : [`Distinct paths of calls per trials: ${counted.join(', ')}.`]
}
