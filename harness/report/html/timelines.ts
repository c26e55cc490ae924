import { timelineOf } from '../../trace/timeline.js'
import type { Timeline } from '../../trace/timeline.js'
import type { ReportInput } from '../reporter.js'
import type { Scene } from '../scenes.js'
import { SIMULATED } from './charts/figure.js'
import { html } from './markup.js'
import type { Markup } from './markup.js'
import { timelineSvg } from './timeline-svg.js'

/** The trials of one scenario above each other, as far as the run kept their traces. */
export async function sceneMarkup({ environment, scenario, ids }: Scene, input: ReportInput): Promise<Markup> {
  const timelines: Timeline[] = []
  const notes: string[] = []
  for (const id of ids) {
    const { trace, note } = await input.trace(id)
    if (trace !== null) timelines.push(timelineOf(trace))
    if (note !== null) notes.push(note)
  }
  const simulated = timelines.some(({ identity }) => identity?.model?.startsWith('sim:') === true)
  const [first] = ids
  return html`<figure class="timeline" role="group" aria-label="${`Timeline of ${environment}, scenario ${scenario}`}">
    <figcaption>
      ${environment}, scenario ${scenario}, on virtual time ${simulated ? SIMULATED : null}<small
        >Hold the pointer over a mark to read it. As text:
        <code>npx sora-bench trace ${JSON.stringify(first ?? '')}</code></small
      >
    </figcaption>
    ${timelines.length === 0 ? null : html`<div class="wide">${timelineSvg(timelines)}</div>`}${notes.map(
      (note) => html`<p class="remark">${note}</p>`,
    )}
  </figure>`
}
