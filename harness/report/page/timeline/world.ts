import { seconds, show } from '../../../trace/text.js'
import type { PropertyTrack, Timeline } from '../../../trace/timeline.js'
import { html } from '../markup.js'
import { bar, round, titled } from './frame.js'
import type { Frame, Row } from './frame.js'
import { eventRow } from './signs.js'
import type { Event } from './signs.js'

/** More properties than these make no picture; those that changed first are kept. */
const MOST_PROPERTIES = 24

export function worldRows(timeline: Timeline, frame: Frame): Row[] {
  const events: Event[] = [
    ...timeline.signals.map(({ at, signal, tool, seq }): Event => ({
      at,
      sign: 'signal',
      label: signal,
      title: `${seconds(at)}: signal ${signal} of ${tool} (seq ${seq})`,
    })),
    ...timeline.violations.map(({ at, violation }): Event => ({
      at,
      sign: 'violation',
      label: violation,
      title: `${seconds(at)}: violation ${violation}`,
    })),
  ].toSorted((a, b) => a.at - b.at)
  const left = timeline.properties.length - MOST_PROPERTIES
  return [
    ...timeline.properties.slice(0, MOST_PROPERTIES).map((track) => propertyRow(track, frame)),
    ...(left > 0 ? [{ name: `${left} more properties`, title: '', height: 16, draw: () => html`` }] : []),
    ...(events.length > 0
      ? [eventRow('signals, violations', 'What the world told, and what harm was done', events, frame)]
      : []),
  ]
}

function propertyRow(track: PropertyTrack, frame: Frame): Row {
  return track.kind === 'number' ? numberRow(track, frame) : stateRow(track, frame)
}

const TINTS = 5

function stateRow({ tool, property, steps }: PropertyTrack, frame: Frame): Row {
  const values = [...new Set(steps.map(({ value }) => value))]
  return {
    name: property,
    title: `${property} of ${tool}`,
    height: 20,
    draw: (y) =>
      html`${steps.map(({ at, value }, index) => {
        const to = steps[index + 1]?.at ?? frame.untilMs
        if (!frame.shows(at) || to === at) return null
        const style = `state s${values.indexOf(value) % TINTS}`
        return titled(
          `${property} is ${show(value)} from ${seconds(at)}`,
          bar(frame, { from: at, to, y: y + 2, height: 16, style, text: show(value) }),
        )
      })}`,
  }
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
