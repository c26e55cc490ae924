import type { TrialLine } from '../../../contract/index.js'
import { quantile } from '../../../stats/summary.js'
import { groupKey, lineKey } from '../../summary.js'
import type { Group } from '../../summary.js'
import { duration } from '../../table.js'
import type { Measure } from '../../table.js'
import { capital, isSimulated, rowAxis, rowLabel, scaleOf } from './draw.js'
import type { Figure } from './draw.js'

/** The values of a metric by group key, trial by trial. */
type Values = ReadonlyMap<string, readonly number[]>

/** Reads the lines once, whatever is asked for. */
export function valuesOf(lines: Iterable<TrialLine>, names: readonly string[]): (name: string) => Values {
  const all = new Map(names.map((name) => [name, new Map<string, number[]>()]))
  for (const line of lines) {
    const key = lineKey(line)
    for (const [name, groups] of all) {
      const value = line.metrics[name]
      if (typeof value !== 'number') continue
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [value])
      else known.push(value)
    }
  }
  return (name) => all.get(name) ?? new Map()
}

/** How a figure is spread over trials: deciles, quartiles and median, so that its size does not grow with the run's. */
export function spreadFigure(groups: readonly Group[], valuesIn: Values, measure: Measure): Figure | null {
  const { divisor, axis } = scaleOf(measure)
  const { among } = measure.shown
  const time = measure.metric.unit === 'ms' ? ', in virtual time' : ''
  const which = among === undefined ? '' : `Of ${among} trials${time}: `
  const values = groups.flatMap((group) => {
    const all = valuesIn.get(groupKey(group)) ?? []
    if (all.length === 0) return []
    const at = (share: number) => (quantile(all, share) ?? 0) / divisor
    return [
      {
        agent: rowLabel(group, groups),
        p10: at(0.1),
        p25: at(0.25),
        p50: at(0.5),
        p75: at(0.75),
        p90: at(0.9),
        few: all.length < 10,
      },
    ]
  })
  if (values.length === 0) return null
  const colour = { condition: { test: 'datum.few', value: 'var(--faint)' }, value: 'var(--mark)' }
  return {
    title: capital(measure.title),
    remark: `${which}10–90 %, quartiles, median. Grey: fewer than 10${among === undefined ? '' : ` ${among}`}.`,
    simulated: isSimulated(groups),
    chart: {
      width: 190,
      height: { step: 30 },
      data: { values },
      encoding: {
        y: rowAxis,
      },
      layer: [
        {
          mark: { type: 'rule' },
          encoding: {
            x: {
              field: 'p10',
              type: 'quantitative',
              title: axis,
              scale: { zero: true },
              axis: { tickCount: 5 },
            },
            x2: { field: 'p90' },
            color: colour,
          },
        },
        {
          mark: { type: 'bar', height: 10 },
          encoding: { x: { field: 'p25', type: 'quantitative' }, x2: { field: 'p75' }, color: colour },
        },
        {
          mark: { type: 'tick', size: 18, thickness: 2.5, color: 'var(--ink)' },
          encoding: { x: { field: 'p50', type: 'quantitative' } },
        },
      ],
    },
  }
}

const PARTS = [
  ['delivered', 'until it was delivered'],
  ['call', 'until a model call began'],
  ['decision', 'until it had decided'],
  ['operation', 'until the operation'],
] as const

/** From a signal to what the agent did about it, in its parts. */
export function reactionFigure(groups: readonly Group[]): Figure | null {
  const thinking = groups.filter(({ model, metrics }) => model !== null && metrics['reaction_ms.reacted'] !== undefined)
  if (!thinking.some(({ metrics }) => metrics['reaction_ms.total'] !== undefined)) return null
  const bars = thinking.flatMap((group) =>
    PARTS.flatMap(([part, label], order) => {
      const ms = group.metrics[`reaction_ms.${part}`]?.mean ?? null
      return ms === null ? [] : [{ agent: rowLabel(group, groups), part: label, order, seconds: ms / 1_000 }]
    }),
  )
  const totals = thinking.map((group) => {
    const total = PARTS.reduce((sum, [part]) => sum + (group.metrics[`reaction_ms.${part}`]?.mean ?? 0), 0)
    return { agent: rowLabel(group, groups), end: total / 1_000, text: words(group) }
  })
  const longest = Math.max(...totals.map(({ end }) => end), 0.001)
  const labels = PARTS.map(([, label]) => label)
  return {
    title: 'Reaction time',
    remark: 'From a signal to the first accepted operation or claim that was decided with knowledge of it: mean parts.',
    simulated: isSimulated(groups),
    chart: {
      width: 190,
      height: { step: 30 },
      encoding: {
        y: { ...rowAxis, scale: { domain: totals.map(({ agent }) => agent) } },
      },
      layer: [
        {
          data: { values: bars },
          mark: { type: 'bar', height: 12 },
          encoding: {
            x: {
              field: 'seconds',
              type: 'quantitative',
              title: 'virtual seconds',
              scale: { domain: [0, longest * 1.7], nice: false },
              axis: { tickCount: 4 },
            },
            order: { field: 'order' },
            color: {
              field: 'part',
              type: 'nominal',
              title: null,
              sort: null,
              scale: { domain: labels, range: ['var(--c7)', 'var(--c6)', 'var(--c2)', 'var(--c3)'] },
              legend: { columns: 1 },
            },
          },
        },
        {
          data: { values: totals },
          mark: { type: 'text', align: 'left', dx: 5, fontSize: 10 },
          encoding: { x: { field: 'end', type: 'quantitative' }, text: { field: 'text', type: 'nominal' } },
        },
      ],
    },
  }
}

function words({ metrics }: Group): string {
  const total = metrics['reaction_ms.total']?.mean ?? null
  const censored = metrics['reaction_ms.censored']
  const never = Math.round((censored?.mean ?? 0) * (censored?.n ?? 0))
  if (total === null) return never === 0 ? 'no signal came' : `never (${never} signals)`
  return never === 0 ? duration(total) : `${duration(total)}, ${never} never`
}
