import type { TrialLine } from '../../../define/index.js'
import { quantile } from '../../../stats/summary.js'
import { groupKey, lineKey } from '../../summary.js'
import type { Group } from '../../summary.js'
import type { Figure } from './figure.js'
import { isSimulated, rowLabel, rowAxis } from './rows.js'

/** The makespans (ms) of the solved trials by group key. */
export function makespansOf(lines: Iterable<TrialLine>): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const line of lines) {
    const ms = line.metrics['makespan_ms']
    if (typeof ms !== 'number') continue
    const key = lineKey(line)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [ms])
    else known.push(ms)
  }
  return groups
}

/** How long solved trials took: deciles, quartiles and median, so that its size does not grow with the run's. */
export function makespanFigure(
  groups: readonly Group[],
  makespans: ReadonlyMap<string, readonly number[]>,
): Figure | null {
  const values = groups.flatMap((group) => {
    const all = makespans.get(groupKey(group)) ?? []
    if (all.length === 0) return []
    const at = (share: number) => (quantile(all, share) ?? 0) / 1_000
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
    title: 'Makespan',
    remark: 'Of solved trials, in virtual time: 10–90 %, quartiles, median. Grey: fewer than 10 solved.',
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
              title: 'virtual seconds',
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
