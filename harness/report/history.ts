import type { Group, Summary } from '../contract/index.js'
import { clean } from '../trace/text.js'
import { VIOLATED, canonical } from './compare/pairs.js'
import { shortRevision } from './compare/text.js'
import { ABSENT, delivered, isSimulatedModel, left, paramsApart, quantity, rateWithInterval, right } from './table.js'
import type { Owner, Table } from './table.js'

const BARS = '▁▂▃▄▅▆▇█'

/** One bar per value between the least and the greatest; a gap where there is none. Equal values are all in the middle. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const high = Math.max(...known)
  return values
    .map((value) => {
      if (value === null) return ' '
      const share = high === low ? 0.5 : (value - low) / (high - low)
      return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))] ?? ' '
    })
    .join('')
}

/** One run, summed up. */
export interface PastRun {
  run: string
  startedAt: string
  revision: string | null
  summary: Summary
}

/** What became of one case × agent × model × thinking policy from run to run, the oldest first. */
interface Trend extends Pick<Group, 'model' | 'thinking'> {
  environment: Owner
  agent: Owner
  runs: TrendPoint[]
}

interface TrendPoint extends Omit<PastRun, 'summary'> {
  environmentVersion: string
  agentVersion: string
  scenarios: number
  metrics: Record<string, TrendValue>
}

/** Rates have an interval (Wilson, 95 %); a makespan is the median of the solved trials, all else a mean. */
interface TrendValue {
  value: number | null
  low: number | null
  high: number | null
  unit: string
}

export function trends(runs: readonly PastRun[], metrics: readonly string[]): Trend[] {
  const found = new Map<string, Trend>()
  for (const { summary, ...past } of runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))) {
    for (const group of summary.groups) {
      const { model, thinking, scenarios } = group
      const { version: environmentVersion, ...environment } = group.environment
      const { version: agentVersion, ...agent } = group.agent
      const key = canonical([environment, agent, model, thinking])
      const trend = found.get(key) ?? { environment, agent, model, thinking, runs: [] }
      found.set(key, trend)
      const values = Object.fromEntries(metrics.map((name) => [name, valueOf(group, name)]))
      trend.runs.push({ ...past, environmentVersion, agentVersion, scenarios, metrics: values })
    }
  }
  return [...found.values()]
}

function valueOf(group: Group, name: string): TrendValue {
  if (name === 'solved' || name === VIOLATED) {
    const { rate, low, high } = name === 'solved' ? group.solved : group.violated
    return { value: rate, low, high, unit: 'boolean' }
  }
  const metric = group.metrics[name]
  const value = (name === 'makespan_ms' ? metric?.median : metric?.mean) ?? null
  return { value, low: null, high: null, unit: metric?.unit ?? '' }
}

/** A row per run, and under the figures how they went. `caption` names the parameters that tell the trend from its siblings. */
export function trendTable({ environment, agent, model, thinking, runs }: Trend, all: readonly Trend[]): Table {
  const names = Object.keys(runs[0]?.metrics ?? {})
  const siblings = all.filter((other) => other.environment.name === environment.name && other.agent.name === agent.name)
  const worlds = siblings.map((other) => delivered(other.environment))
  const agents = siblings.map((other) => other.agent)
  const caption = [
    labelOf(delivered(environment), worlds),
    labelOf(agent, agents),
    ...(model === null ? [] : [clean(model)]),
    ...(new Set(siblings.map((other) => other.thinking)).size > 1 ? [clean(thinking)] : []),
  ]
  const courses = names.map((name) => sparkline(runs.map(({ metrics }) => metrics[name]?.value ?? null)))
  return {
    caption: caption.join(' · '),
    simulated: isSimulatedModel(model),
    columns: [
      ...['date', 'revision', 'run', 'versions'].map((title) => left(title)),
      right('n'),
      ...names.map((title, index) => right(title, names.length - index)),
    ],
    rows: [
      ...runs.map((point) => [
        point.startedAt.slice(0, 16).replace('T', ' '),
        point.revision === null ? ABSENT : shortRevision(point.revision),
        clean(point.run),
        clean(`${point.environmentVersion}/${point.agentVersion}`),
        String(point.scenarios),
        ...names.map((name) => shown(point.metrics[name])),
      ]),
      ['trend', '', '', '', '', ...courses],
    ],
  }
}

function shown(found: TrendValue | undefined): string {
  if (found === undefined) return ABSENT
  const { value, low, high, unit } = found
  if (low !== null) return rateWithInterval({ rate: value, low, high })
  return quantity(value, unit)
}

const labelOf = (own: Owner, all: readonly Owner[]): string =>
  clean([own.name, ...paramsApart(own, all).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' '))
