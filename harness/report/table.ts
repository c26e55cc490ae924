import { modelSeats, withDelivery } from '../contract/index.js'
import type { Group, Json, JsonObject, Metric, Rate, Shown, Summary } from '../contract/index.js'
import { clean, thousands } from '../trace/text.js'
import { rateIn } from './summary.js'

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

export function rateWithInterval({ rate, low, high }: Pick<Rate, 'rate' | 'low' | 'high'>): string {
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

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** By the unit of a metric: only ms and rates are not plain counts. */
export function quantity(value: number | null, unit: string): string {
  if (unit === 'ms') return duration(value)
  if (unit === 'boolean' || unit === 'share') return percent(value)
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
  /** Of a column of shares; `counted`: its cells say how many of how many. */
  rate?: { of: (group: Group) => Rate | null; counted: boolean }
}

export const left = (title: string): Column => ({ title, align: 'left', keep: 0 })
export const right = (title: string, keep = 0): Column => ({ title, align: 'right', keep })

interface Field extends Column {
  cell: (group: Group) => string
}

/** Also of several models, where one for a role is simulated. */
export const isSimulatedModel = (model: string | null | undefined): boolean =>
  (modelSeats(model ?? '') ?? [['', model ?? '']]).some(([, name]) => name.startsWith('sim:'))

export const modelName = (model: string): string => (isSimulatedModel(model) ? `${model} (simulated model)` : model)

/** One table per case. What is equal in all rows stands in the caption, not in a column. */
export function comparisonTable(summary: Summary): Table[] {
  const columns = columnsOf(summary).map(fieldOf)
  return cases(summary).map(({ caption, groups }) => {
    const fields = [...identityFields(groups), scenarioCount, ...columns.toSpliced(1, 0, ...passField(groups))]
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
      simulated: models.some(isSimulatedModel),
      columns: fields.map(({ cell: _cell, ...column }) => column),
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
    const worlds = summary.groups.map(({ environment }) => delivered(environment))
    return { caption: labelOf(delivered(first.environment), worlds), groups }
  })
}

/** What sets a group apart from the others of its case. */
export function identityFields(groups: readonly Group[]): Field[] {
  const models = new Set(groups.flatMap(({ model }) => model ?? []))
  const policies = new Set(groups.map(({ thinking }) => thinking))
  const field = (title: string, cell: Field['cell']): Field => ({ ...left(title), cell })
  return [
    field('agent', (group) => agentLabel(group, groups)),
    ...(models.size > 1 ? [field('model', ({ model }) => (model === null ? ABSENT : clean(model)))] : []),
    ...(policies.size > 1 ? [field('thinking', ({ thinking }) => clean(thinking))] : []),
  ]
}

/** An agent or an environment. */
export interface Owner {
  name: string
  params: JsonObject
}

/** The delivery faults of a world are parameters like its own. */
export const delivered = ({ name, params }: Owner): Owner => ({ name, params: withDelivery(params) })

/** The name, with the parameters by which agents of one name differ. */
export function agentLabel({ agent }: { agent: Owner }, groups: readonly { agent: Owner }[]): string {
  const agents = groups.map((group) => group.agent)
  return labelOf(agent, agents)
}

function labelOf(own: Owner, all: readonly Owner[]): string {
  const siblings = all.filter(({ name }) => name === own.name).map(({ params }) => params)
  return [clean(own.name), ...differences(own.params, siblings)].join(' ')
}

/** The parameters that not all definitions of the name have in common. */
export function paramsApart({ name, params }: Owner, all: readonly Owner[]): [key: string, value: Json][] {
  const siblings = all.filter((other) => other.name === name)
  return Object.entries(params).filter(([key, value]) =>
    siblings.some((other) => JSON.stringify(other.params[key]) !== JSON.stringify(value)),
  )
}

/** Where one thing at a time is changed, what most have in common goes without saying; of a ladder the last step is told. */
function differences(own: JsonObject, all: readonly JsonObject[]): string[] {
  const sets = [...new Map(all.map((params) => [JSON.stringify(params), params])).values()]
  const steps = stepsOf(sets)
  if (steps !== null) {
    const last = steps[sets.findIndex((params) => JSON.stringify(params) === JSON.stringify(own)) - 1]
    return last === undefined ? [] : [clean(`+ ${last}=${JSON.stringify(own[last])}`)]
  }
  return Object.keys(own)
    .filter((key) => {
      const values = sets.map((params) => JSON.stringify(params[key]))
      const alike = values.filter((value) => value === JSON.stringify(own[key])).length
      return alike < sets.length && !(sets.length > 2 && alike > sets.length / 2)
    })
    .map((key) => clean(`${key}=${JSON.stringify(own[key])}`))
}

/** What each set changes in the one before it, where that is one parameter that no other changes: a ladder. Else null. */
function stepsOf(sets: readonly JsonObject[]): string[] | null {
  const changes = sets.slice(1).map((params, index) => {
    const before = sets[index]
    return Object.keys(params).filter((key) => JSON.stringify(params[key]) !== JSON.stringify(before?.[key]))
  })
  const steps = changes.flatMap(([only, ...others]) => (only === undefined || others.length > 0 ? [] : [only]))
  return steps.length > 1 && steps.length === changes.length && new Set(steps).size === steps.length ? steps : null
}

/** What a declared figure of a group is, for cells, charts and curves. */
export interface Measure {
  metric: Metric
  shown: Shown
  /** The heading on one line. */
  title: string
  /** What notes and axes call it. */
  called: string
  value: (group: Group) => number | null
  /** Null where it is no share of scenarios. */
  rate: ((group: Group) => Rate | null) | null
}

/** The figures that say where they are shown, in the order of their places. */
export function measuresOf({ metrics }: Summary): Measure[] {
  return metrics
    .flatMap((metric) => (metric.shown === undefined ? [] : [measureOf(metric, metric.shown)]))
    .toSorted((a, b) => a.shown.place - b.shown.place)
}

function measureOf(metric: Metric, shown: Shown): Measure {
  const { name, summedUp = 'mean' } = metric
  const title = oneLine(shown.heading)
  const isRate = summedUp === 'share' || summedUp === 'count'
  const rate = isRate ? (group: Group) => rateIn(group, name) : null
  const sums = [shown.part === undefined ? name : `${name}.${shown.part}`, ...(shown.plus ?? [])]
  return {
    metric,
    shown,
    title,
    called: shown.called ?? title,
    rate,
    value(group) {
      if (rate !== null) return rate(group)?.rate ?? null
      if (shown.needs !== undefined && (group.metrics[shown.needs]?.mean ?? 0) === 0) return null
      const values = sums.map((key) => group.metrics[key]?.[summedUp === 'median' ? 'median' : 'mean'] ?? null)
      return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
    },
  }
}

/** A heading without its breaks. */
export const oneLine = (heading: string): string =>
  heading.replaceAll('-\n', '').replaceAll('/\n', '/').replaceAll('\n', ' ')

/** Some of what is meant is done by programs, where nobody measures it. */
const mark = ({ besides }: Shown, { metrics }: Group): string =>
  besides !== undefined && metrics[besides] !== undefined ? '*' : ''

function fieldOf({ metric, shown, value, rate }: Measure): Field {
  const isShare = metric.summedUp === 'share'
  return {
    ...right(isShare ? `${shown.heading} [95 %]` : shown.heading, shown.importance),
    ...(rate !== null && { rate: { of: rate, counted: !isShare } }),
    cell(group) {
      if (rate === null) {
        const figure = value(group)
        if (figure === null) return ABSENT
        const second = group.metrics[shown.with ?? '']?.mean ?? null
        const behind = second === null ? '' : `/${quantity(second, metric.unit)}`
        return quantity(figure, metric.unit) + behind + mark(shown, group)
      }
      const share = rate(group)
      if (share === null || share.rate === null) return ABSENT
      return isShare ? rateWithInterval(share) : `${count(share.events)}/${share.n}`
    },
  }
}

const scenarioCount: Field = {
  ...right('n'),
  cell: ({ scenarios, infrastructureErrors }) =>
    infrastructureErrors === 0 ? String(scenarios) : `${scenarios} (${infrastructureErrors}!)`,
}

/** Where there are replicas: pass^k of as many as the most played scenario of the table has. */
function passField(groups: readonly Group[]): Field[] {
  const most = Math.max(...groups.map(({ passes = [] }) => passes.length))
  const cell = ({ passes }: Group): string => percent(passes?.[most - 1] ?? null)
  return most < 2 ? [] : [{ ...right(`pass^${most}`, 9), cell }]
}

/** The figures that have a column. */
export const columnsOf = (summary: Summary): Measure[] =>
  measuresOf(summary).filter(
    ({ shown, value }) =>
      shown.importance !== undefined &&
      (shown.ifMeasured !== true || summary.groups.some((group) => value(group) !== null)),
  )
