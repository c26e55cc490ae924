import type { TopLevelSpec } from 'vega-lite'
import { trusted } from '../markup.js'
import type { Markup } from '../markup.js'

/** What every chart looks like. Colours are variables of the page's style, so that one picture serves light and dark. */
const config: TopLevelSpec['config'] = {
  font: 'system-ui, sans-serif',
  background: 'transparent',
  aria: false,
  padding: 2,
  view: { stroke: null },
  axis: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--faint)',
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    gridColor: 'var(--line)',
    domainColor: 'var(--faint)',
    tickColor: 'var(--faint)',
    labelLimit: 260,
  },
  axisY: { labelPadding: 9 },
  legend: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--faint)',
    labelFontSize: 11,
    labelLimit: 220,
    orient: 'bottom',
    direction: 'horizontal',
    columns: 2,
    columnPadding: 14,
    symbolSize: 80,
  },
  rule: { color: 'var(--ink)' },
  point: { filled: true, size: 80, opacity: 1, color: 'var(--mark)' },
  bar: { color: 'var(--mark)' },
  text: { color: 'var(--ink)', fontSize: 11 },
  tick: { color: 'var(--ink)' },
}

/** Colours and shapes in step, so that neither is needed to tell two lines apart. */
export const COLOURS = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `var(--c${index})`)
const MARKS = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'cross',
  'triangle-down',
  'triangle-right',
  'triangle-left',
]
/** Where colours begin anew, shapes are one ahead, so that a ninth line is not taken for the first. */
export const SHAPES = COLOURS.flatMap((_, round) => [...MARKS.slice(round), ...MARKS.slice(0, round)])

export type Chart = TopLevelSpec

/** Renders without browser or DOM. The library takes 0.3 s to load, so that only pages with charts pay for it. */
export async function drawChart(chart: Chart): Promise<Markup> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')])
  const { spec } = vegaLite.compile({ config, ...chart })
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error })
  const svg = await view.toSVG()
  view.finalize()
  return trusted(svg.replace('<svg ', '<svg aria-hidden="true" '))
}
