import { withDelivery } from '../define/index.js'
import type { JsonObject } from '../define/index.js'
import { clean } from '../trace/text.js'
import { ABSENT, count, duration, rateWithInterval } from './format.js'
import type { Group, Summary } from './summary.js'

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

/** Every table shows all ways of looking: polls, syncs and resyncs (DESIGN §9). */
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
