import { seconds } from '../../../trace/text.js'
import { html } from '../markup.js'
import type { Markup } from '../markup.js'
import { GUTTER, WIDTH, cut, textWidth, titled } from './frame.js'
import type { Frame, PhaseStyles, Row } from './frame.js'

/** Something at one instant: its sign, a name beside it, and what a pointer shows beside the time. */
export interface Event {
  at: number
  sign: Sign
  label?: string
  title: string
}
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
    shows: events.map(({ sign }) => sign),
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
        return titled(`${seconds(event.at)}: ${event.title}`, html`${SIGNS[event.sign](x, middle)}${text}`)
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
      const label = cut(event.label ?? '', LONGEST)
      if (label === '') return { event, line: 0, x, flipped: false, label }
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
const SIGNS = {
  accepted: (x: number, y: number) => html`<path class="accepted" d="M${x} ${y - 5}l5 9h-10z" />`,
  refused: (x: number, y: number) => html`<path class="refused" d="M${x} ${y + 5}l5-9h-10z" />`,
  invalid: (x: number, y: number) => html`<rect class="invalid" x="${x - 4}" y="${y - 4}" width="8" height="8" />`,
  violation: (x: number, y: number) => html`<path class="violation" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8" />`,
  poll: (x: number, y: number) => html`<circle class="poll" cx="${x}" cy="${y}" r="4" />`,
  sync: (x: number, y: number) => html`<path class="sync" d="M${x} ${y - 5}v10" />`,
  document: (x: number, y: number) => html`<rect class="document" x="${x - 3}" y="${y - 4}" width="6" height="8" />`,
  signal: (x: number, y: number) => html`<path class="signal" d="M${x} ${y - 5}l5 5l-5 5l-5-5z" />`,
  taken: (x: number, y: number) => html`<path class="taken" d="M${x} ${y - 5}l5 5l-5 5l-5-5z" />`,
  lost: (x: number, y: number) => html`<path class="lost" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8" />`,
  late: (x: number, y: number) =>
    html`<circle class="late" cx="${x}" cy="${y}" r="4" /><path class="late" d="M${x} ${y - 2}v2h2" />`,
  trouble: (x: number, y: number) => html`<path class="trouble" d="M${x} ${y - 5}v6m0 2v2" />`,
  claim: (x: number, y: number) => html`<path class="claim" d="M${x - 3} ${y + 5}v-10l8 3l-8 3" />`,
}
export type Sign = keyof typeof SIGNS

/** What bars and signs stand for, in the order of the legend. */
const MEANINGS: Readonly<Record<string, string>> = {
  call: 'model call: thinking time',
  'call cutoff': 'call not answered',
  sleep: 'sleep',
  suspension: 'suspended',
  accepted: 'operation',
  refused: 'refused',
  invalid: 'invalid call',
  violation: 'violation',
  poll: 'poll',
  sync: 'sync',
  document: 'document',
  signal: 'signal',
  taken: 'signal taken in',
  lost: 'doorbell lost',
  late: 'doorbell late, doubled or without news',
  trouble: 'malformed answer or error',
  claim: 'claim',
}

const isSign = (name: string): name is Sign => name in SIGNS
const LEGEND_LINE = 18

/** Only what the rows of the picture show; the phases come first. */
export function legend(rows: readonly Row[], phases: PhaseStyles, top: number): { markup: Markup; height: number } {
  const shown = new Set(rows.flatMap((row) => row.shows ?? []))
  const items: [style: string, text: string][] = [
    ...phases.phases.map((phase): [string, string] => [phases.style(phase), phase]),
    ...Object.entries(MEANINGS).filter(([name]) => shown.has(name)),
  ]
  let x = GUTTER
  let y = top + 12
  const drawn = items.map(([style, text]) => {
    const width = 20 + textWidth(text) + 14
    if (x + width > WIDTH) {
      x = GUTTER
      y += LEGEND_LINE
    }
    const shape = isSign(style)
      ? SIGNS[style](x + 6, y)
      : html`<rect x="${x}" y="${y - 5}" width="14" height="10" class="${style}" />`
    const item = html`${shape}<text x="${x + 18}" y="${y + 4}" class="t">${text}</text>`
    x += width
    return item
  })
  return { markup: html`<g>${drawn}</g>`, height: y - top + LEGEND_LINE }
}
