import type { Json } from '../contract/index.js'

/**
 * One line without control characters: what a trace holds is untrusted and must not reach a terminal as an escape,
 * a bidirectional override or a line of its own.
 */
export function clean(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .trim()
}

/** Lines as they are, without other control characters: nothing that a terminal would obey. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]/gu, '')
}

/** Clean, and cut with a count of what it was. */
export function fold(text: string, limit = 120): string {
  const line = clean(text)
  if (line.length <= limit) return line
  return `${line
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd()}… (${thousands(text.length)} chars)`
}

export function thousands(value: number): string {
  const [whole = '', fraction] = String(value).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

export function seconds(ms: number): string {
  return `${thousands(Number((ms / 1_000).toFixed(2)))} s`
}

/** A stamp with equal decimals, for columns. */
export function stamp(ms: number): string {
  const [whole = '0', fraction = '00'] = (ms / 1_000).toFixed(2).split('.')
  return `${thousands(Number(whole))}.${fraction} s`
}

export function show(value: Json): string {
  if (typeof value === 'number') return thousands(value)
  return typeof value === 'string' ? clean(value) : clean(JSON.stringify(value))
}

/** Plain text by default; picocolors' `Colors` fits. */
type Paint = (text: string) => string
export interface Palette {
  bold: Paint
  dim: Paint
  red: Paint
  green: Paint
  yellow: Paint
  cyan: Paint
}
const plain: Paint = (text) => text
export const noColour: Palette = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }

/** Blocks whose characters take two columns of a terminal: East Asian scripts, full-width forms, pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const lettersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  return lettersOf(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0)
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)))
}

/** Breaks at spaces, and inside words that are longer than a line. Every line but the first is indented by `hang`. */
export function wrap(text: string, width: number, hang = 0): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const room = (): number => width - (lines.length === 0 ? 0 : hang)
  const add = (piece: string, columns: number): void => {
    line += piece
    used += columns
  }
  const end = (): void => {
    lines.push((lines.length === 0 ? '' : ' '.repeat(hang)) + line.trimEnd())
    line = ''
    used = 0
  }
  for (const piece of text.match(/ +|[^ ]+/g) ?? []) {
    const columns = columnsOf(piece)
    if (used + columns > room() && line.trim() !== '') end()
    if (piece.startsWith(' ') && line === '' && lines.length > 0) continue
    if (columns <= room()) add(piece, columns)
    else {
      for (const letter of lettersOf(piece)) {
        if (used + columnsOf(letter) > room()) end()
        add(letter, columnsOf(letter))
      }
    }
  }
  if (line.trim() !== '' || lines.length === 0) end()
  return lines
}

/** `1 trial`, `2 trials`; with a verb `1 trial is`, `2 trials are`. */
export const counted = (count: number, noun: string, verb: 'are' | '' = ''): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}${verb === '' ? '' : count === 1 ? ' is' : ' are'}`
