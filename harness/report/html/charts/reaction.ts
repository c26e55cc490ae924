import { duration } from '../../format.js'
import type { Group } from '../../summary.js'
import type { Figure } from './figure.js'
import { isSimulated, rowLabel, rowAxis } from './rows.js'

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
