import type { Json } from '../define/index.js'

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
export type Paint = (text: string) => string
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
