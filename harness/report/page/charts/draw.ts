import type { TopLevelSpec } from 'vega-lite'
import type { Group, Rate } from '../../../contract/index.js'
import { clean } from '../../../trace/text.js'
import { agentLabel, isSimulatedModel } from '../../table.js'
import type { Measure } from '../../table.js'
import { html, trusted } from '../markup.js'
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
    labelLimit: 440,
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
const COLOURS = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `var(--c${index})`)
const SHAPES = 'circle square triangle-up diamond cross triangle-down triangle-right triangle-left'.split(' ')

/** A colour and a shape for each, with their legend: past the eighth the same colours come back with other shapes. */
export function signsOf(labels: readonly string[]) {
  const domain = [...labels]
  const turn = (index: number) => index + Math.floor(index / COLOURS.length)
  const colours = domain.map((_, index) => COLOURS[index % COLOURS.length] ?? '')
  const shapes = domain.map((_, index) => SHAPES[turn(index) % SHAPES.length] ?? '')
  const legend = { columns: domain.some(({ length }) => length > SHORT) ? 1 : 2 }
  const series = { field: 'agent', type: 'nominal' as const, sort: null, title: null, legend }
  return {
    series,
    color: { ...series, scale: { domain, range: colours } },
    shape: { ...series, scale: { domain, range: shapes } },
  }
}
/** Of two labels beside each other each may have so many letters. */
const SHORT = 22

/** Renders without browser or DOM. The library takes 0.3 s to load, so that only pages with charts pay for it. */
export async function drawChart(chart: TopLevelSpec): Promise<Markup> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')])
  const { spec } = vegaLite.compile({ config, ...chart })
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error })
  const svg = await view.toSVG()
  view.finalize()
  return trusted(svg.replace('<svg ', '<svg aria-hidden="true" '))
}

/** A chart with what a reader must know of it. */
export interface Figure {
  title: string
  remark: string
  simulated: boolean
  chart: TopLevelSpec
}

export const SIMULATED = html`<span class="sim">simulated model</span>`

export async function drawFigure({ title, remark, simulated, chart }: Figure): Promise<Markup> {
  const picture = await drawChart(chart)
  const label = simulated ? `${title} (simulated model). ${remark}` : `${title}. ${remark}`
  return html`<figure role="group" aria-label="${label}">
    <figcaption>${title} ${simulated ? SIMULATED : null} <small>${remark}</small></figcaption>
    ${picture}
  </figure>`
}

/** Rates on fewer events are shown grey, with their count (docs/design.md#statistics). */
const ENOUGH_EVENTS = 10
export const isFew = ({ events }: Rate): boolean => events < ENOUGH_EVENTS

/** A name for each group of a case that no other has: the agent, and model and thinking policy where there are several. */
export function rowLabel(group: Group, groups: readonly Group[]): string {
  const models = new Set(groups.flatMap(({ model }) => model ?? []))
  const policies = new Set(groups.filter(({ model }) => model !== null).map(({ thinking }) => thinking))
  return [
    agentLabel(group, groups),
    ...(models.size > 1 && group.model !== null ? [clean(group.model)] : []),
    ...(policies.size > 1 && group.model !== null ? [clean(group.thinking)] : []),
  ].join(' · ')
}

/** A field of numbers, with what its axis says and shows. */
export const amount = (field: string, more: object = {}) => ({ field, type: 'quantitative' as const, ...more })

/** The axis of a share of scenarios or trials. */
export const SHARES = { scale: { domain: [0, 1] }, axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] } }

/** Times are drawn in seconds. */
export const scaleOf = ({ metric, called }: Measure): { divisor: number; axis: string } =>
  metric.unit === 'ms' ? { divisor: 1_000, axis: 'virtual seconds' } : { divisor: 1, axis: called }

export const isSimulated = (groups: readonly Group[]): boolean => groups.some(({ model }) => isSimulatedModel(model))
