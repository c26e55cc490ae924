import { html } from '../markup.js'
import type { Markup } from '../markup.js'
import { drawChart } from './draw.js'
import type { Chart } from './draw.js'

/** A chart with what a reader must know of it. */
export interface Figure {
  title: string
  remark: string
  simulated: boolean
  chart: Chart
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
