import type { TrialIdentity } from '../../define/index.js'
import { seconds } from '../../trace/text.js'
import type { Timeline } from '../../trace/timeline.js'
import { agentLabel } from '../table.js'
import { html } from './markup.js'
import type { Markup } from './markup.js'
import { agentRows, phaseStyles } from './timeline/agent.js'
import type { PhaseStyle } from './timeline/agent.js'
import { axisRow, createFrame, cut, GUTTER, ticks, WIDTH } from './timeline/frame.js'
import type { Frame, Row } from './timeline/frame.js'
import { legend } from './timeline/legend.js'
import { worldRows } from './timeline/world.js'

const HEAD = 30
const GAP = 18
/** How much of what the world did after the last agent's end is shown. */
const AFTERMATH = 1.1

/** Trials of one scenario above each other, on one scale of virtual time. The page's style gives the colours. */
export function timelineSvg(timelines: readonly Timeline[]): Markup {
  const lastEnd = Math.max(...timelines.map(({ endsAt }) => endsAt))
  const lastMove = Math.max(...timelines.map(({ lastsMs }) => lastsMs))
  const frame = createFrame(Math.min(Math.max(lastEnd, lastMove), lastEnd * AFTERMATH))
  const { phases, style } = phaseStyles(timelines.flatMap(({ lanes }) => lanes))
  let y = 0
  const panels = timelines.map((timeline) => {
    const panel = panelOf(timeline, nameIn(timeline, timelines), frame, style, y)
    y += panel.height + GAP
    return panel.markup
  })
  const key = legend(timelines, phases, style, y)
  const height = y + key.height
  return html`<svg
    class="tl"
    xmlns="http://www.w3.org/2000/svg"
    width="${WIDTH}"
    height="${height}"
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="${labelOf(timelines)}"
  >
    ${panels}${key.markup}
  </svg>`
}

function labelOf(timelines: readonly Timeline[]): string {
  return `Timelines: ${timelines.map(({ identity }) => identity?.id ?? 'a torn trace').join(', ')}`
}

/** Agents of one name are told apart by their parameters. */
function nameIn({ identity }: Timeline, all: readonly Timeline[]): string {
  if (identity === null) return 'torn trace'
  const named = ({ agent: name, agentParams: params }: TrialIdentity) => ({ agent: { name, params } })
  return agentLabel(
    named(identity),
    all.flatMap((other) => (other.identity === null ? [] : [named(other.identity)])),
  )
}

function panelOf(
  timeline: Timeline,
  name: string,
  frame: Frame,
  style: PhaseStyle,
  top: number,
): { markup: Markup; height: number } {
  const rows: Row[] = [
    heading('world'),
    ...worldRows(timeline, frame),
    ...timeline.lanes.flatMap((lane) => [
      heading(lane.number === 1 ? lane.role : `${lane.role}, activity ${lane.number}`),
      ...agentRows(lane, frame, style),
    ]),
    axisRow(frame),
  ]
  let y = top + HEAD
  const drawn = rows.map((row) => {
    const markup = html`<text x="${GUTTER - 8}" y="${y + row.height / 2 + 4}" class="t l"
        ><title>${row.title}</title>${cut(row.name, 27)}</text
      >${row.draw(y)}`
    y += row.height
    return markup
  })
  const bottom = y - 18
  return {
    height: y - top,
    markup: html`${head(timeline, name, top)}${backdrop(timeline, frame, top + HEAD, bottom)}${drawn}`,
  }
}

function heading(name: string): Row {
  return {
    name: '',
    title: '',
    height: 17,
    draw: (y) =>
      html`<text x="6" y="${y + 13}" class="t b">${name}</text><path class="grid" d="M6 ${y + 16.5}H${WIDTH}" />`,
  }
}

function head({ identity, verdict, endsAt }: Timeline, name: string, y: number): Markup {
  const how =
    verdict === null
      ? 'the trace ends before its verdict'
      : [verdict.outcome.replaceAll('_', ' '), ...verdict.violations].join(', ')
  const model = identity?.model ?? null
  const facts = [
    `after ${seconds(endsAt)}`,
    ...(identity === null ? [] : [`scenario ${identity.scenario.index}`]),
    ...(model === null ? [] : [model.startsWith('sim:') ? `${model} (simulated model)` : model]),
    ...(identity === null || model === null ? [] : [`thinking ${identity.thinking}`]),
  ]
  return html`<rect x="0" y="${y}" width="${WIDTH}" height="23" class="head" /><text x="6" y="${y + 16}" class="h"
      >${name}
      <tspan class="${verdict?.solved === true ? 'good' : 'broken'}" dx="8">${how}</tspan>
      <tspan class="f" dx="4">${facts.join(' · ')}</tspan></text
    >`
}

/** Grid, what came after the end, and the lines on which signals and violations fell. */
function backdrop({ endsAt, signals, violations }: Timeline, frame: Frame, top: number, bottom: number): Markup {
  const line = (at: number, style: string) =>
    frame.shows(at) ? html`<path class="${style}" d="M${frame.x(at)} ${top}V${bottom}" />` : null
  const over = frame.x(frame.untilMs) - frame.x(endsAt)
  return html`${
    over > 1
      ? html`<rect class="after" x="${frame.x(endsAt)}" y="${top}" width="${over}" height="${bottom - top}" />`
      : null
  }${ticks(frame.untilMs).map((ms) => line(ms, 'grid'))}${signals.map(({ at }) => line(at, 'fell'))}${violations.map(
    ({ at }) => line(at, 'harm'),
  )}${over > 110 ? html`<text x="${frame.x(endsAt) + 5}" y="${top + 12}" class="t e f">the agent has ended</text>` : null}`
}
