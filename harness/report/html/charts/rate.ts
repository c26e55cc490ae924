import type { Group, Rate } from '../../summary.js'
import type { Figure } from './figure.js'
import { isFew, isSimulated, rowLabel, rowAxis } from './rows.js'

export function solvedFigure(groups: readonly Group[]): Figure {
  return rateFigure(groups, 'solved', ({ solved }) => solved)
}

export function violatedFigure(groups: readonly Group[]): Figure {
  return rateFigure(groups, 'violated', ({ violated }) => violated)
}

/** A share of the scenarios of each agent, with its interval. */
function rateFigure(groups: readonly Group[], what: 'solved' | 'violated', of: (group: Group) => Rate): Figure {
  const values = groups.map((group) => {
    const { rate, low, high } = of(group)
    return { agent: rowLabel(group, groups), rate, low, high, few: isFew(of(group)) }
  })
  const colour = { condition: { test: 'datum.few', value: 'var(--faint)' }, value: 'var(--mark)' }
  return {
    title: what === 'solved' ? 'Solved' : 'Violated',
    remark: `Share of scenarios and its Wilson interval at 95 %. Grey: fewer than 10 ${what}.`,
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
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: {
            x: {
              field: 'low',
              type: 'quantitative',
              title: null,
              scale: { domain: [0, 1] },
              axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
            },
            x2: { field: 'high' },
            color: colour,
          },
        },
        { mark: { type: 'point' }, encoding: { x: { field: 'rate', type: 'quantitative' }, color: colour } },
      ],
    },
  }
}
