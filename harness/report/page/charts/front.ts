import type { Front } from '../../../contract/index.js'
import { clean } from '../../../trace/text.js'
import { SHARES, amount, signsOf } from './draw.js'
import type { Figure } from './draw.js'

/** What settings cost against what they achieve: each agent's front as a line, its chosen setting large and named. */
export function frontFigure({ world, points }: Front, simulated: boolean): Figure {
  const agents = [...new Set(points.map(({ agent }) => clean(agent)))]
  const { color, shape } = signsOf(agents)
  const values = points.map((point) => ({ ...point, agent: clean(point.agent) }))
  const scale = { type: 'log' as const, nice: false, padding: 20 }
  const x = amount('billed', { title: 'billed tokens per scenario', scale, axis: { tickCount: 5, format: '~s' } })
  const y = amount('solved', { title: 'solved', ...SHARES })
  return {
    title: `Settings in ${world}`,
    remark: 'Scenarios of odd index. Large: the setting with the least billed per solved one on those of even index.',
    simulated,
    chart: {
      width: 350,
      height: 220,
      data: { values },
      encoding: { x, y, color },
      layer: [
        {
          transform: [{ filter: 'datum.ownFront' }],
          mark: { type: 'line', strokeWidth: 1.5 },
          encoding: { order: { field: 'billed' } },
        },
        {
          transform: [{ filter: '!datum.chosen' }],
          mark: { type: 'point', size: 45, opacity: 0.6 },
          encoding: { shape },
        },
        { transform: [{ filter: 'datum.chosen' }], mark: { type: 'point', size: 170 }, encoding: { shape } },
      ],
    },
  }
}
