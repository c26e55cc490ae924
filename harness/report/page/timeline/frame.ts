import { thousands } from '../../../trace/text.js'
import { html } from '../markup.js'
import type { Markup } from '../markup.js'

/** Width of the picture, of the names at its left, and what is free at its right. */
export const WIDTH = 1_100
export const GUTTER = 190
const MARGIN = 14

/** Virtual time (ms) to x. `shows`: what lies beyond the picture is left out. */
export interface Frame {
  x(ms: number): number
  shows(ms: number): boolean
  readonly untilMs: number
}

export function createFrame(untilMs: number): Frame {
  const span = Math.max(1, untilMs)
  return {
    untilMs: span,
    shows: (ms) => ms <= span,
    x: (ms) => round(GUTTER + (Math.min(ms, span) / span) * (WIDTH - GUTTER - MARGIN)),
  }
}

/** Phases keep their colour through all lanes of a picture. */
export interface PhaseStyles {
  phases: readonly string[]
  style: (phase: string) => string
}

export const round = (value: number): number => Math.round(value * 10) / 10

/** At most a dozen round numbers of seconds. */
export function ticks(untilMs: number): number[] {
  const rough = untilMs / 12
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  return Array.from({ length: Math.floor(untilMs / step) + 1 }, (_, index) => index * step)
}

/** A stripe of the picture: its name at the left, and what it draws from `y` on. */
export interface Row {
  name: string
  /** Long names are cut; this is what a pointer shows. */
  title: string
  /** Signs, and styles of bars, that the legend tells of. */
  shows?: readonly string[]
  height: number
  draw(y: number): Markup
}

export function axisRow(frame: Frame): Row {
  return {
    name: 'virtual time (s)',
    title: 'virtual time since the start of the trial, in seconds',
    height: 18,
    draw: (y) =>
      html`${ticks(frame.untilMs).map(
        (ms) =>
          html`<text x="${frame.x(ms)}" y="${y + 13}" class="t a">${thousands(Number((ms / 1_000).toFixed(3)))}</text>`,
      )}`,
  }
}

/** An element with what a pointer shows over it. */
export function titled(title: string, shape: Markup): Markup {
  return html`<g><title>${title}</title>${shape}</g>`
}

/** From when to when (ms), what it looks like and says, and what a pointer shows. */
interface Bar {
  from: number
  to: number
  style: string
  text?: string
  title: string
}

/** A row of bars of at least a visible width, with their texts where they fit. */
export function barRow(row: Omit<Row, 'draw'>, bars: readonly Bar[], frame: Frame): Row {
  const draw = (y: number, { from, to, style, text = '', title }: Bar): Markup => {
    const left = frame.x(from)
    const width = round(Math.max(1.2, frame.x(to) - left))
    const isWide = text !== '' && textWidth(text) + 6 <= width
    const label = isWide ? html`<text x="${left + 4}" y="${y + row.height / 2 + 4}" class="t">${text}</text>` : null
    const shape = html`<rect x="${left}" y="${y + 2}" width="${width}" height="${row.height - 4}" class="${style}" />`
    return titled(title, html`${shape}${label}`)
  }
  return { ...row, draw: (y) => html`${bars.map((bar) => draw(y, bar))}` }
}

/** Of 11 px sans-serif, on the safe side. */
export function textWidth(text: string): number {
  return text.length * 6.4
}

export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}
