import type { ReportInput, TrialIdentity, TrialLine } from '../../../contract/index.js'
import { seconds } from '../../../trace/text.js'
import { timelineOf } from '../../../trace/timeline.js'
import type { Timeline } from '../../../trace/timeline.js'
import { agentLabel, isSimulatedModel, modelName } from '../../table.js'
import { SIMULATED } from '../charts/draw.js'
import { html } from '../markup.js'
import type { Markup } from '../markup.js'
import { GUTTER, WIDTH, axisRow, createFrame, cut, ticks } from './frame.js'
import type { Frame, PhaseStyles, Row } from './frame.js'
import { agentRows, phaseStyles, worldRows } from './rows.js'
import { legend } from './signs.js'

/** Trials of one scenario, whose timelines stand above each other. */
interface Scene {
  environment: string
  scenario: number
  ids: string[]
}

/** A page with more of them is a heavy one. */
const SCENES = 12
const TRIALS_PER_SCENE = 6

/** The wanted trials by scenario; without a wish, per case one scenario that tells the agents with a model apart. */
export function chooseScenes(lines: () => Iterable<TrialLine>, wanted: readonly string[]): Scene[] {
  return wanted.length > 0 ? scenesOf(lines, wanted) : defaultScenes(lines)
}

function scenesOf(lines: () => Iterable<TrialLine>, wanted: readonly string[]): Scene[] {
  const byId = new Map<string, TrialLine>()
  for (const line of lines()) if (wanted.includes(line.identity.id)) byId.set(line.identity.id, line)
  const scenes = new Map<string, Scene>()
  for (const id of wanted) {
    const line = byId.get(id)
    if (line === undefined) continue
    const { environment, params, index, seed } = line.identity.scenario
    const key = JSON.stringify([environment, params, seed])
    const scene = scenes.get(key) ?? { environment, scenario: index, ids: [] }
    scenes.set(key, scene)
    scene.ids.push(id)
  }
  return [...scenes.values()]
}

/** The first scenario of each case in which outcomes differ, else the first; under its first model and thinking policy. */
function defaultScenes(lines: () => Iterable<TrialLine>): Scene[] {
  const places = new Map<string, { setting: string; outcomes: Map<string, Set<string>> }>()
  for (const line of lines()) {
    if (line.identity.model === null) continue
    const { place, setting, seed } = keysOf(line)
    const known = places.get(place) ?? { setting, outcomes: new Map<string, Set<string>>() }
    places.set(place, known)
    if (known.setting !== setting) continue
    known.outcomes.set(seed, (known.outcomes.get(seed) ?? new Set()).add(line.outcome))
  }
  const scenes = new Map<string, Scene>()
  for (const line of lines()) {
    const { place, setting, seed } = keysOf(line)
    const known = places.get(place)
    if (known?.setting !== setting || line.identity.replica > 0 || seed !== mostDecisive(known.outcomes)) continue
    const { environment, index } = line.identity.scenario
    const scene = scenes.get(place) ?? { environment, scenario: index, ids: [] }
    scenes.set(place, scene)
    if (scene.ids.length < TRIALS_PER_SCENE) scene.ids.push(line.identity.id)
  }
  return [...scenes.values()].slice(0, SCENES)
}

function keysOf({ identity: { scenario, model, thinking } }: TrialLine) {
  return {
    place: JSON.stringify([scenario.environment, scenario.params]),
    setting: JSON.stringify([model, thinking]),
    seed: scenario.seed,
  }
}

function mostDecisive(outcomes: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  for (const [seed, seen] of outcomes) if (seen.size > 1) return seed
  return outcomes.keys().next().value
}

const HEAD = 30
const GAP = 18
/** How much of what the world did after the last agent's end is shown. */
const AFTERMATH = 1.1

/** Trials of one scenario above each other, on one scale of virtual time. The page's style gives the colours. */
export function timelineSvg(timelines: readonly Timeline[]): Markup {
  const lastEnd = Math.max(...timelines.map(({ endsAt }) => endsAt))
  const lastMove = Math.max(...timelines.map(({ lastsMs }) => lastsMs))
  const frame = createFrame(Math.min(Math.max(lastEnd, lastMove), lastEnd * AFTERMATH))
  const phases = phaseStyles(timelines.flatMap(({ lanes }) => lanes))
  let y = 0
  const panels = timelines.map((timeline) => {
    const panel = panelOf(timeline, nameIn(timeline, timelines), frame, phases, y)
    y += panel.height + GAP
    return panel
  })
  const key = legend(
    panels.flatMap(({ rows }) => rows),
    phases,
    y,
  )
  const height = y + key.height
  const ids = timelines.map(({ identity }) => identity?.id ?? 'a torn trace')
  return html`<svg
    class="tl"
    xmlns="http://www.w3.org/2000/svg"
    width="${WIDTH}"
    height="${height}"
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="Timelines: ${ids.join(', ')}"
  >
    ${panels.map(({ markup }) => markup)}${key.markup}
  </svg>`
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
  phases: PhaseStyles,
  top: number,
): { rows: readonly Row[]; markup: Markup; height: number } {
  const rows: Row[] = [
    heading('world'),
    ...worldRows(timeline, frame),
    ...timeline.lanes.flatMap((lane) => [
      heading(lane.number === 1 ? lane.role : `${lane.role}, activity ${lane.number}`),
      ...agentRows(lane, frame, phases),
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
    rows,
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
    ...(identity === null || model === null ? [] : [modelName(model), `thinking ${identity.thinking}`]),
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

/** The trials of one scenario above each other, as far as the run kept their traces. */
export async function sceneMarkup({ environment, scenario, ids }: Scene, input: ReportInput): Promise<Markup> {
  const timelines: Timeline[] = []
  const notes: string[] = []
  for (const id of ids) {
    const { trace, note } = await input.trace(id)
    if (trace !== null) timelines.push(timelineOf(trace))
    if (note !== null) notes.push(note)
  }
  const simulated = timelines.some(({ identity }) => isSimulatedModel(identity?.model))
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
