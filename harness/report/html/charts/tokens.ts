import type { Group } from '../../summary.js'
import { agentLabel } from '../../table.js'
import { signsOf } from './draw.js'
import type { Figure } from './figure.js'
import { isFew, isSimulated, tokensOf } from './rows.js'

/** What an agent costs against what it achieves; agents without a model cost no token and are left out. */
export function tokensFigure(groups: readonly Group[]): Figure | null {
  const values = groups.flatMap((group) => {
    const tokens = tokensOf(group)
    if (group.model === null || tokens === null) return []
    const { rate, low, high } = group.solved
    return [{ agent: agentLabel(group, groups), tokens, rate, low, high, few: isFew(group.solved) }]
  })
  if (values.length === 0) return null
  // Models and thinking policies of one agent share its sign: more signs than agents could not be told apart.
  const agents = [...new Set(values.map(({ agent }) => agent))]
  const { colours, shapes, legend } = signsOf(agents)
  const series = { field: 'agent', type: 'nominal' as const, sort: null, title: null, legend }
  return {
    title: 'Tokens against solved',
    remark: 'Mean prompt and completion tokens per scenario. Faint: fewer than 10 solved.',
    simulated: isSimulated(groups),
    chart: {
      width: 250,
      height: 170,
      data: { values },
      encoding: {
        x: {
          field: 'tokens',
          type: 'quantitative',
          title: 'tokens',
          scale: { zero: true, nice: true },
          axis: { tickCount: 5, format: '~s' },
        },
        color: { ...series, scale: { domain: agents, range: colours } },
        opacity: { condition: { test: 'datum.few', value: 0.55 }, value: 1 },
      },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: {
            y: {
              field: 'low',
              type: 'quantitative',
              title: 'solved',
              scale: { domain: [0, 1] },
              axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
            },
            y2: { field: 'high' },
          },
        },
        {
          mark: { type: 'point', size: 110 },
          encoding: {
            y: { field: 'rate', type: 'quantitative' },
            shape: { ...series, scale: { domain: agents, range: shapes } },
          },
        },
      ],
    },
  }
}
