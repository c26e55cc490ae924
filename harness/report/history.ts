import { withDelivery } from '../contract/index.js'
import type { JsonObject } from '../contract/index.js'
import { clean } from '../trace/text.js'
import { canonical } from './compare/pairs.js'
import { VIOLATED } from './compare/pairs.js'
import { shortRevision } from './compare/text.js'
import type { Group, Summary } from './summary.js'
import { ABSENT, percent, quantity, rateWithInterval } from './table.js'
import type { Table } from './table.js'

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
interface Trend {
  environment: { name: string; params: JsonObject }
  agent: { name: string; params: JsonObject }
  model: string | null
  thinking: string
  runs: TrendPoint[]
}

interface TrendPoint {
  run: string
  startedAt: string
  revision: string | null
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
      const { environment, agent, model, thinking } = group
      const key = canonical([environment.name, environment.params, agent.name, agent.params, model, thinking])
      const trend = found.get(key) ?? {
        environment: { name: environment.name, params: environment.params },
        agent: { name: agent.name, params: agent.params },
        model,
        thinking,
        runs: [],
      }
      found.set(key, trend)
      trend.runs.push({
        ...past,
        environmentVersion: environment.version,
        agentVersion: agent.version,
        scenarios: group.scenarios,
        metrics: Object.fromEntries(metrics.map((name) => [name, valueOf(group, name)])),
      })
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
  const caption = [
    labelOf(
      { name: environment.name, params: withDelivery(environment.params) },
      siblings.map((other) => withDelivery(other.environment.params)),
    ),
    labelOf(
      agent,
      siblings.map((other) => other.agent.params),
    ),
    ...(model === null ? [] : [clean(model)]),
    ...(new Set(siblings.map((other) => other.thinking)).size > 1 ? [clean(thinking)] : []),
  ]
  return {
    caption: caption.join(' · '),
    simulated: model?.startsWith('sim:') === true,
    columns: [
      ...['date', 'revision', 'run', 'versions'].map((title) => ({ title, align: 'left' as const, keep: 0 })),
      { title: 'n', align: 'right', keep: 0 },
      ...names.map((title, index) => ({ title, align: 'right' as const, keep: names.length - index })),
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
      [
        'trend',
        '',
        '',
        '',
        '',
        ...names.map((name) => sparkline(runs.map(({ metrics }) => metrics[name]?.value ?? null))),
      ],
    ],
  }
}

function shown(found: TrendValue | undefined): string {
  if (found === undefined) return ABSENT
  const { value, low, high, unit } = found
  if (low !== null) return rateWithInterval({ rate: value, low, high })
  return unit === 'boolean' ? percent(value) : quantity(value, unit)
}

function labelOf({ name, params }: { name: string; params: JsonObject }, all: readonly JsonObject[]): string {
  const differing = Object.keys(params).filter((key) => new Set(all.map((own) => JSON.stringify(own[key]))).size > 1)
  return clean([name, ...differing.map((key) => `${key}=${JSON.stringify(params[key])}`)].join(' '))
}
