import { fold, seconds, show, thousands } from '../../../trace/text.js'
import type { Lane, PropertyTrack, Timeline } from '../../../trace/timeline.js'
import { html } from '../markup.js'
import { barRow, round, titled } from './frame.js'
import type { Frame, PhaseStyles, Row } from './frame.js'
import { eventRow } from './signs.js'
import type { Event, Sign } from './signs.js'

export function phaseStyles(lanes: readonly Lane[]): PhaseStyles {
  const phases = [...new Set(lanes.flatMap((lane) => lane.phases.map(({ label }) => label)))]
  return { phases, style: (phase) => `phase p${(phases.indexOf(phase) % 8) + 1}` }
}

export function agentRows(lane: Lane, frame: Frame, { style }: PhaseStyles): Row[] {
  return [
    ...ifAny(lane.phases, phaseRow(lane, frame, style)),
    ...ifAny(lane.calls, callRow(lane, frame)),
    ...ifAny(lane.waits, waitRow(lane, frame)),
    ...eventRows('reads', 'What the agent looked at', lookEvents(lane), frame),
    ...eventRows('trouble', 'Malformed answers and errors', troubleEvents(lane), frame),
    ...eventRows('doorbells', 'What became of doorbells on their way', doorbellEvents(lane), frame),
    eventRow('operations', 'What the agent did to the world', operationEvents(lane), frame),
  ]
}

const ifAny = (marks: readonly unknown[], row: Row): Row[] => (marks.length === 0 ? [] : [row])

const eventRows = (name: string, title: string, events: readonly Event[], frame: Frame): Row[] =>
  ifAny(events, eventRow(name, title, events, frame))

function phaseRow({ phases }: Lane, frame: Frame, styleOf: PhaseStyles['style']): Row {
  const bars = phases.map(({ from, to, label, cycle }) => ({
    from,
    to,
    style: styleOf(label),
    title: `${label}${cycle === null ? '' : `, cycle ${cycle}`}: ${seconds(from)} to ${seconds(to)}`,
  }))
  return barRow({ name: 'phase', title: 'Phases of the architecture', height: 16 }, bars, frame)
}

function callRow({ calls }: Lane, frame: Frame): Row {
  const bars = calls.map(({ from, to, call, phase, state, said, tokens }) => {
    const end = state === 'answered' ? fold(said ?? 'words', 160) : state
    const title = `call ${call} ${phase}: ${seconds(from)} to ${seconds(to)}, ${thousands(tokens)} tokens, ${end}`
    return { from, to, style: state === 'answered' ? 'call' : 'call cutoff', title }
  })
  const name = `thinking (${thousands(calls.length)} calls)`
  const title = 'Model calls, as long as they took in virtual time'
  return barRow({ name, title, shows: ['call', ...bars.map(({ style }) => style)], height: 18 }, bars, frame)
}

function waitRow({ waits }: Lane, frame: Frame): Row {
  const bars = waits.map(({ from, to, kind, until }) => {
    const [text, what] = kind === 'sleep' ? ['sleep', 'sleeps'] : ['suspended', 'suspended']
    return { from, to, style: kind, text, title: `${what} from ${seconds(from)} to ${seconds(to)}, until ${until}` }
  })
  const shows = waits.map(({ kind }) => kind)
  return barRow({ name: 'waits', title: 'Sleeps and suspensions', shows, height: 18 }, bars, frame)
}

const signOfLook = (kind: Lane['looks'][number]['kind']): Sign =>
  kind === 'resync' || kind === 'recheck' ? 'sync' : kind === 'catalogue' ? 'document' : kind

function lookEvents({ looks, consumed }: Lane): Event[] {
  return inTime([
    ...looks.map(({ at, kind, what }) => ({ at, sign: signOfLook(kind), title: `${kind} of ${fold(what)}` })),
    ...consumed.map(({ at, seqs }) => ({
      at,
      sign: 'taken' as const,
      title: `takes in the signals seq ${seqs.join(', ')}`,
    })),
  ])
}

const inTime = (events: readonly Event[]): Event[] => events.toSorted((a, b) => a.at - b.at)

function doorbellEvents({ doorbells }: Lane): Event[] {
  return doorbells.map(({ at, what, tool, delayMs, count }) => {
    const late = delayMs === 0 ? '' : `, rings in ${seconds(delayMs)}`
    const times = count === 1 ? '' : `, ${count} times`
    return {
      at,
      sign: what === 'dropped' ? 'lost' : 'late',
      title: `doorbell of ${tool ?? 'the log'} ${what}${late}${times}`,
    }
  })
}

const troubleEvents = ({ troubles }: Lane): Event[] =>
  troubles.map(({ at, what }) => ({ at, sign: 'trouble', title: fold(what, 200) }))

const signOf = (outcome: Lane['operations'][number]['outcome']): Sign => {
  if (outcome === 'harmed') return 'violation'
  return outcome === 'refused' || outcome === 'invalid' ? outcome : 'accepted'
}

function operationEvents({ operations, claims }: Lane): Event[] {
  return inTime([
    ...operations.map(({ at, tool, action, outcome, message }) => ({
      at,
      sign: signOf(outcome),
      label: action === '' ? tool : action,
      title: `${tool}.${action} ${outcome}: ${fold(message, 200)}`,
    })),
    ...claims.map(({ at, claim, text }) => {
      const label = claim === 'achieved' ? 'claims success' : 'gives up'
      return { at, sign: 'claim' as const, label, title: `${label}: ${fold(text, 200)}` }
    }),
  ])
}

/** More properties than these make no picture; those that changed first are kept. */
const MOST_PROPERTIES = 24

export function worldRows({ signals, violations, properties }: Timeline, frame: Frame): Row[] {
  const events = inTime([
    ...signals.map(({ at, signal, tool, seq }) => ({
      at,
      sign: 'signal' as const,
      label: signal,
      title: `signal ${signal} of ${tool} (seq ${seq})`,
    })),
    ...violations.map(({ at, violation }) => ({
      at,
      sign: 'violation' as const,
      label: violation,
      title: `violation ${violation}`,
    })),
  ])
  const left = properties.length - MOST_PROPERTIES
  return [
    ...properties
      .slice(0, MOST_PROPERTIES)
      .map((track) => (track.kind === 'number' ? numberRow(track, frame) : stateRow(track, frame))),
    ...(left > 0 ? [{ name: `${left} more properties`, title: '', height: 16, draw: () => html`` }] : []),
    ...eventRows('signals, violations', 'What the world told, and what harm was done', events, frame),
  ]
}

const TINTS = 5

function stateRow({ tool, property, steps }: PropertyTrack, frame: Frame): Row {
  const values = [...new Set(steps.map(({ value }) => value))]
  const bars = steps.flatMap(({ at: from, value }, index) => {
    const to = steps[index + 1]?.at ?? frame.untilMs
    if (!frame.shows(from) || to === from) return []
    const [style, text] = [`state s${values.indexOf(value) % TINTS}`, show(value)]
    return [{ from, to, style, text, title: `${property} is ${text} from ${seconds(from)}` }]
  })
  return barRow({ name: property, title: `${property} of ${tool}`, height: 20 }, bars, frame)
}

function numberRow({ tool, property, steps }: PropertyTrack, frame: Frame): Row {
  const points = steps.flatMap(({ at, value }) => (typeof value === 'number' ? [{ at, value }] : []))
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const range = `${show(least)} to ${show(most)}`
  const height = 30
  return {
    name: property,
    title: `${property} of ${tool}, ${range}`,
    height,
    draw(y) {
      const level = (value: number) =>
        round(y + height - 4 - ((value - least) / Math.max(1e-9, most - least)) * (height - 8))
      const path = points
        .filter(({ at }) => frame.shows(at))
        .map(({ at, value }, index) =>
          index === 0 ? `M${frame.x(at)} ${level(value)}` : `H${frame.x(at)}V${level(value)}`,
        )
        .join('')
      const first = points[0]?.value ?? 0
      const last = points.findLast(({ at }) => frame.shows(at))?.value ?? first
      return html`${titled(`${property} of ${tool}: ${range}`, html`<path class="number" d="${path}H${frame.x(frame.untilMs)}" />`)}
        <text x="${frame.x(0) + 3}" y="${valueY(level(first), y)}" class="t f">${show(first)}</text>
        <text x="${frame.x(frame.untilMs) - 3}" y="${valueY(level(last), y)}" class="t f l">${show(last)}</text>`
    },
  }
}

/** Above the line where there is room, else below. */
function valueY(level: number, y: number): number {
  return level - y > 14 ? level - 4 : level + 12
}
