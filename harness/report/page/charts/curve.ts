import type { Group } from '../../../contract/index.js'
import type { Curve } from '../../curves.js'
import { capital } from '../../table.js'
import type { Measure } from '../../table.js'
import { SHARES, amount, isFew, isSimulated, scaleOf, signsOf } from './draw.js'
import type { Figure } from './draw.js'

interface Reading {
  y: number | null
  low: number | null
  high: number | null
  few: boolean
}

function readingOf({ rate, value }: Measure, group: Group, divisor: number): Reading {
  const share = rate?.(group) ?? null
  if (share !== null) return { y: share.rate, low: share.low, high: share.high, few: isFew(share) }
  const figure = value(group)
  return { y: figure === null ? null : figure / divisor, low: null, high: null, few: false }
}

function remarkOn({ metric, title, rate, shown }: Measure): string {
  if (rate !== null) return `Wilson interval at 95 %. Hollow: fewer than 10 ${title}.`
  if (metric.summedUp !== 'median') return 'Mean per scenario.'
  return `Median of the ${shown.among === undefined ? '' : `${shown.among} `}scenarios.`
}

/** One picture per measure along the curve's axis; none of a measure that nowhere has a value. */
export function curveFigures(curve: Curve, measures: readonly Measure[]): Figure[] {
  const groups = curve.series.flatMap(({ points }) => points.map(({ group }) => group))
  return measures.flatMap((measure) => {
    const [{ divisor, axis }, share, remark] = [scaleOf(measure), measure.rate !== null, remarkOn(measure)]
    const measured = curve.series
      .flatMap(({ label, points }) =>
        points.map(({ x, group }) => ({ agent: label, x, ...readingOf(measure, group, divisor) })),
      )
      .filter(({ y }) => y !== null)
    if (measured.length === 0) return []
    const positive = measured.filter(({ y }) => y !== null && y > 0)
    // What grows tenfold would press all that does not upon the axis.
    const steep = !share && spansDecade(positive.map(({ y }) => y))
    const values = steep ? positive : measured
    return [
      {
        title: `${capital(measure.title)} along ${curve.axis}`,
        remark: steep ? `${remark} Logarithmic, without zeros.` : remark,
        simulated: isSimulated(groups),
        chart: chartOf(curve, values, { unit: axis, share, steep, flat: positive.length === 0 }),
      },
    ]
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
  /** Nothing but zeros. */
  flat: boolean
}

function chartOf(curve: Curve, values: readonly Point[], { unit, share, steep, flat }: Scale): Figure['chart'] {
  const { series, color, shape } = signsOf(curve.series.map(({ label }) => label))
  const scale = steep
    ? { type: 'log' as const, nice: false, padding: 8 }
    : { zero: true, ...(flat && { domainMax: 1 }) }
  const own = share ? SHARES : { scale, axis: { tickCount: 5, format: '~s' } }
  const y = amount('y', { title: unit, ...own })
  const strokeDash = { ...series, field: 'dash', scale: { domain: color.scale.domain, range: DASHES }, legend: null }
  const hollow = { type: 'point' as const, size: 70, filled: false, fill: 'var(--paper)', strokeWidth: 1.6 }
  return {
    width: WIDTH,
    height: 180,
    // A field of its own: the legend shows colour and shape, where a dash would break the shape.
    data: { values: values.map((value) => ({ ...value, dash: value.agent })) },
    encoding: { x: axisOf(curve, values), color },
    layer: [
      ...(share ? [{ mark: 'rule' as const, encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } } }] : []),
      ...(curve.kind === 'number'
        ? [{ mark: { type: 'line' as const, strokeWidth: 2 }, encoding: { y, strokeDash } }]
        : []),
      { transform: [{ filter: '!datum.few' }], mark: { type: 'point', size: 70 }, encoding: { y, shape } },
      { transform: [{ filter: 'datum.few' }], mark: hollow, encoding: { y, shape } },
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

const WIDTH = 350
const LETTER = 6.5

/** Words too long to stand beside each other are slanted, and none is cut. */
function wordLabels(words: readonly string[]): { labelAngle: number; labelLimit: number } {
  const longest = Math.max(...words.map(({ length }) => length)) * LETTER
  return { labelAngle: longest * words.length <= WIDTH ? 0 : -30, labelLimit: Math.max(longest * 2, WIDTH) }
}

/** Ticks stand where something was measured. */
function axisOf({ axis: title, kind, series }: Curve, values: readonly Point[]) {
  const measured = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))]
  if (kind === 'word') {
    const domain = measured.map(String)
    return { field: 'x', type: 'nominal' as const, title, sort: null, scale: { domain }, axis: wordLabels(domain) }
  }
  // A logarithm has no zero to leave out, and Vega warns of who says so.
  const form = spansDecade(values.map(({ x }) => x))
    ? { type: 'log' as const }
    : { type: 'linear' as const, zero: false }
  const numbers = measured.flatMap((x) => (typeof x === 'number' ? [x] : []))
  const axis = { values: numbers, format: '~s', labelOverlap: 'greedy' as const }
  return amount('x', { title, scale: { ...form, nice: false, padding: 8 }, axis })
}

function spansDecade(values: readonly (number | string | null)[]): boolean {
  const numbers = values.flatMap((value) => (typeof value === 'number' ? [value] : []))
  const least = Math.min(...numbers)
  return least > 0 && Math.max(...numbers) / least >= 10
}
