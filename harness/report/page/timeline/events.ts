import { html } from '../markup.js'
import type { Markup } from '../markup.js'
import { cut, textWidth, titled } from './frame.js'
import type { Frame, Row } from './frame.js'

/** Something at one instant: its sign, a name beside it, and what a pointer shows. */
export interface Event {
  at: number
  sign: Sign
  label: string
  title: string
}
export type Sign =
  | 'accepted'
  | 'refused'
  | 'harmed'
  | 'invalid'
  | 'claim'
  | 'trouble'
  | 'signal'
  | 'violation'
  | 'taken'
  | 'poll'
  | 'sync'
  | 'document'
  | 'lost'
  | 'late'

const STEP = 15
const MOST_LINES = 4
const LONGEST = 26

/** A row of labelled signs; labels that would overlap go to lines below, and where even those are full only the sign stays. */
export function eventRow(name: string, title: string, events: readonly Event[], frame: Frame): Row {
  const placed = place(events, frame)
  const lines = Math.max(1, ...placed.map(({ line }) => line + 1))
  return {
    name,
    title,
    height: lines * STEP + 4,
    draw: (y) =>
      html`${placed.map(({ event, line, x, flipped, label }) => {
        const middle = y + line * STEP + 9
        const text =
          label === ''
            ? null
            : html`<text x="${flipped ? x - 8 : x + 8}" y="${middle + 4}" class="${flipped ? 't e l' : 't e'}"
                >${label}</text
              >`
        return titled(event.title, html`${drawSign(event.sign, x, middle)}${text}`)
      })}`,
  }
}

interface Placed {
  event: Event
  line: number
  x: number
  /** The text stands left of the sign, because the picture ends at its right. */
  flipped: boolean
  label: string
}

function place(events: readonly Event[], frame: Frame): Placed[] {
  const ends: number[] = []
  return events
    .filter(({ at }) => frame.shows(at))
    .map((event) => {
      const x = frame.x(event.at)
      if (event.label === '') return { event, line: 0, x, flipped: false, label: '' }
      const label = cut(event.label, LONGEST)
      const width = textWidth(label) + 8
      const flipped = x + width > frame.x(frame.untilMs) + 12
      const left = flipped ? x - width - 6 : x - 6
      const right = flipped ? x + 8 : x + width + 6
      for (let line = 0; line < MOST_LINES; line++) {
        if ((ends[line] ?? 0) > left) continue
        ends[line] = right
        return { event, line, x, flipped, label }
      }
      return { event, line: MOST_LINES - 1, x, flipped: false, label: '' }
    })
}

/** Signs differ in shape, so that colour is never needed to tell them apart. */
const SIGNS: Record<Sign, (x: number, y: number) => Markup> = {
  accepted: (x, y) => html`<path class="accepted" d="M${x} ${y - 5}l5 9h-10z" />`,
  refused: (x, y) => html`<path class="refused" d="M${x} ${y + 5}l5-9h-10z" />`,
  harmed: cross,
  violation: cross,
  invalid: (x, y) => html`<rect class="invalid" x="${x - 4}" y="${y - 4}" width="8" height="8" />`,
  trouble: (x, y) => html`<path class="trouble" d="M${x} ${y - 5}v6m0 2v2" />`,
  claim: (x, y) => html`<path class="claim" d="M${x - 3} ${y + 5}v-10l8 3l-8 3" />`,
  signal: (x, y) => html`<path class="signal" d="M${x} ${y - 5}l5 5l-5 5l-5-5z" />`,
  taken: (x, y) => html`<path class="taken" d="M${x} ${y - 5}l5 5l-5 5l-5-5z" />`,
  poll: (x, y) => html`<circle class="poll" cx="${x}" cy="${y}" r="4" />`,
  sync: (x, y) => html`<path class="sync" d="M${x} ${y - 5}v10" />`,
  document: (x, y) => html`<rect class="document" x="${x - 3}" y="${y - 4}" width="6" height="8" />`,
  lost: (x, y) => html`<path class="lost" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8" />`,
  late: (x, y) => html`<circle class="late" cx="${x}" cy="${y}" r="4" /><path class="late" d="M${x} ${y - 2}v2h2" />`,
}

function cross(x: number, y: number): Markup {
  return html`<path class="violation" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8" />`
}

export const drawSign = (sign: Sign, x: number, y: number): Markup => SIGNS[sign](x, y)
