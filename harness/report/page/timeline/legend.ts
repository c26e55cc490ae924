import type { Timeline } from '../../../trace/timeline.js'
import { html } from '../markup.js'
import type { Markup } from '../markup.js'
import type { PhaseStyle } from './agent.js'
import { drawSign } from './events.js'
import type { Sign } from './events.js'
import { GUTTER, WIDTH, textWidth } from './frame.js'

interface Item {
  text: string
  draw: (x: number, y: number) => Markup
}

const LINE = 18

/** Only what the picture holds. */
export function legend(
  timelines: readonly Timeline[],
  phases: readonly string[],
  styleOf: PhaseStyle,
  top: number,
): { markup: Markup; height: number } {
  let x = GUTTER
  let y = top + 12
  const drawn = itemsOf(timelines, phases, styleOf).map(({ text, draw }) => {
    const width = 20 + textWidth(text) + 14
    if (x + width > WIDTH) {
      x = GUTTER
      y += LINE
    }
    const item = html`${draw(x + 6, y)}<text x="${x + 18}" y="${y + 4}" class="t">${text}</text>`
    x += width
    return item
  })
  return { markup: html`<g>${drawn}</g>`, height: y - top + LINE }
}

function itemsOf(timelines: readonly Timeline[], phases: readonly string[], styleOf: PhaseStyle): Item[] {
  const lanes = timelines.flatMap((timeline) => timeline.lanes)
  const some = <T>(of: (lane: (typeof lanes)[number]) => readonly T[], test: (item: T) => boolean) =>
    lanes.some((lane) => of(lane).some(test))
  const look = (kinds: readonly string[]) =>
    some(
      (lane) => lane.looks,
      ({ kind }) => kinds.includes(kind),
    )
  const wait = (kind: string) =>
    some(
      (lane) => lane.waits,
      (span) => span.kind === kind,
    )
  const operation = (outcome: string) =>
    some(
      (lane) => lane.operations,
      (done) => done.outcome === outcome,
    )
  const present: [boolean, Item][] = [
    ...phases.map((phase): [boolean, Item] => [true, swatch(phase, styleOf(phase))]),
    [lanes.some(({ calls }) => calls.length > 0), swatch('model call: thinking time', 'call')],
    [
      some(
        (lane) => lane.calls,
        ({ state }) => state !== 'answered',
      ),
      swatch('call not answered', 'call cutoff'),
    ],
    [wait('sleep'), swatch('sleep', 'sleep')],
    [wait('suspension'), swatch('suspended', 'suspension')],
    [operation('accepted'), sign('operation', 'accepted')],
    [operation('refused'), sign('refused', 'refused')],
    [operation('invalid'), sign('invalid call', 'invalid')],
    [operation('harmed') || timelines.some(({ violations }) => violations.length > 0), sign('violation', 'violation')],
    [look(['poll']), sign('poll', 'poll')],
    [look(['sync', 'resync']), sign('sync', 'sync')],
    [look(['document', 'catalogue']), sign('document', 'document')],
    [timelines.some(({ signals }) => signals.length > 0), sign('signal', 'signal')],
    [lanes.some(({ consumed }) => consumed.length > 0), sign('signal taken in', 'taken')],
    [lanes.some(({ doorbells }) => doorbells.some(({ what }) => what === 'dropped')), sign('doorbell lost', 'lost')],
    [
      lanes.some(({ doorbells }) => doorbells.some(({ what }) => what !== 'dropped')),
      sign('doorbell late, doubled or without news', 'late'),
    ],
    [lanes.some(({ troubles }) => troubles.length > 0), sign('malformed answer or error', 'trouble')],
    [lanes.some(({ claims }) => claims.length > 0), sign('claim', 'claim')],
  ]
  return present.flatMap(([shown, item]) => (shown ? [item] : []))
}

function swatch(text: string, style: string): Item {
  return {
    text,
    draw: (x, y) => html`<rect x="${x - 6}" y="${y - 5}" width="14" height="10" class="${style}" />`,
  }
}

function sign(text: string, of: Sign): Item {
  return { text, draw: (x, y) => drawSign(of, x, y) }
}
