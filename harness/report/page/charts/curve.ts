import type { Curve } from '../../curves.js'
import type { Group, Rate } from '../../summary.js'
import { isFew, isSimulated, signsOf, tokensOf } from './draw.js'
import type { Figure } from './draw.js'

interface Reading {
  y: number | null
  low: number | null
  high: number | null
  few: boolean
}
type Measure = (group: Group) => Reading

const rate =
  (of: (group: Group) => Rate): Measure =>
  (group) => {
    const { rate: y, low, high } = of(group)
    return { y, low, high, few: isFew(of(group)) }
  }
const plain =
  (of: (group: Group) => number | null): Measure =>
  (group) => ({
    y: of(group),
    low: null,
    high: null,
    few: false,
  })

const measures: { title: string; remark: string; unit: string; share: boolean; of: Measure }[] = [
  {
    title: 'Solved',
    remark: 'Wilson interval at 95 %. Hollow: fewer than 10 solved.',
    unit: 'solved',
    share: true,
    of: rate(({ solved }) => solved),
  },
  {
    title: 'Violated',
    remark: 'Wilson interval at 95 %. Hollow: fewer than 10 violated.',
    unit: 'violated',
    share: true,
    of: rate(({ violated }) => violated),
  },
  {
    title: 'Model calls',
    remark: 'Mean per scenario.',
    unit: 'calls',
    share: false,
    of: plain(({ metrics }) => metrics['model_calls']?.mean ?? null),
  },
  { title: 'Tokens', remark: 'Mean per scenario.', unit: 'tokens', share: false, of: plain(tokensOf) },
  {
    title: 'Makespan',
    remark: 'Median of the solved scenarios.',
    unit: 'virtual seconds',
    share: false,
    of: plain(({ metrics }) => {
      const ms = metrics['makespan_ms']?.median ?? null
      return ms === null ? null : ms / 1_000
    }),
  },
]

/** One picture per measure along the curve's axis. */
export function curveFigures(curve: Curve): Figure[] {
  const groups = curve.series.flatMap(({ points }) => points.map(({ group }) => group))
  return measures.map(({ title, remark, unit, share, of }) => {
    const measured = curve.series
      .flatMap(({ label, points }) => points.map(({ x, group }) => ({ agent: label, x, ...of(group) })))
      .filter(({ y }) => y !== null)
    const positive = measured.filter(({ y }) => y !== null && y > 0)
    // What grows tenfold would press all that does not upon the axis.
    const steep = !share && spansDecade(positive.map(({ y }) => y))
    const values = steep ? positive : measured
    return {
      title: `${title} along ${curve.axis}`,
      remark: steep ? `${remark} Logarithmic, without zeros.` : remark,
      simulated: isSimulated(groups),
      chart: chartOf(curve, values, { unit, share, steep }),
    }
  })
}

interface Point extends Reading {
  agent: string
  x: number | string
}

interface Scale {
  unit: string
  share: boolean
  steep: boolean
}

function chartOf(curve: Curve, values: readonly Point[], { unit, share, steep }: Scale): Figure['chart'] {
  const agents = curve.series.map(({ label }) => label)
  const { colours, shapes, legend } = signsOf(agents)
  const series = { field: 'agent', type: 'nominal' as const, sort: null, title: null, legend }
  const own = share
    ? { scale: { domain: [0, 1] }, axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] } }
    : {
        scale: steep ? { type: 'log' as const, nice: false, padding: 8 } : { zero: true },
        axis: { tickCount: 5, format: '~s' },
      }
  const y = { field: 'y', type: 'quantitative' as const, title: unit, ...own }
  const shape = { ...series, scale: { domain: agents, range: shapes } }
  return {
    width: 350,
    height: 180,
    // A field of its own: the legend shows colour and shape, where a dash would break the shape.
    data: { values: values.map((value) => ({ ...value, dash: value.agent })) },
    encoding: { x: axisOf(curve, values), color: { ...series, scale: { domain: agents, range: colours } } },
    layer: [
      ...(share ? [{ mark: 'rule' as const, encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } } }] : []),
      ...(curve.kind === 'number'
        ? [
            {
              mark: { type: 'line' as const, strokeWidth: 2 },
              encoding: {
                y,
                strokeDash: { ...series, field: 'dash', scale: { domain: agents, range: DASHES }, legend: null },
              },
            },
          ]
        : []),
      { transform: [{ filter: '!datum.few' }], mark: { type: 'point', size: 70 }, encoding: { y, shape } },
      {
        transform: [{ filter: 'datum.few' }],
        mark: { type: 'point', size: 70, filled: false, fill: 'var(--paper)', strokeWidth: 1.6 },
        encoding: { y, shape },
      },
    ],
  }
}

/** Lines that lie on each other still show both colours. */
const DASHES = [
  [1, 0],
  [7, 4],
  [2, 3],
  [9, 3, 2, 3],
]

/** Ticks stand where something was measured. */
function axisOf({ axis: title, kind, series }: Curve, values: readonly Point[]) {
  const measured = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))]
  if (kind === 'word') {
    return {
      field: 'x',
      type: 'nominal' as const,
      title,
      sort: null,
      scale: { domain: measured.map(String) },
      axis: { labelAngle: 0, labelLimit: 80 },
    }
  }
  const numbers = measured.flatMap((x) => (typeof x === 'number' ? [x] : []))
  return {
    field: 'x',
    type: 'quantitative' as const,
    title,
    scale: {
      // A logarithm has no zero to leave out, and Vega warns of who says so.
      ...(spansDecade(values.map(({ x }) => x)) ? { type: 'log' as const } : { type: 'linear' as const, zero: false }),
      nice: false,
      padding: 8,
    },
    axis: { values: numbers, format: '~s', labelOverlap: 'greedy' as const },
  }
}

function spansDecade(values: readonly (number | string | null)[]): boolean {
  const numbers = values.flatMap((value) => (typeof value === 'number' ? [value] : []))
  const least = Math.min(...numbers)
  return least > 0 && Math.max(...numbers) / least >= 10
}
