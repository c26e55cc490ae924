import type { Trace } from '../define/index.js'
import { align } from './align.js'
import { outcomeText, tell } from './narrative.js'
import { firstOf } from './select.js'
import type { Told } from './telemetry.js'
import { clean, noColour, stamp } from './text.js'
import type { Palette } from './text.js'
import { why } from './why.js'
import { padTo, wrap } from './wrap.js'

/** A trial's story, ready to be set beside another. */
export interface Narrative {
  title: string
  told: Told[]
  outcome: string
  /** The outcome in one word; null for a trace that ends before its verdict. */
  verdict: string | null
  why: string[]
}

const BAR = ' │ '
const NARROWEST = 60

export function narrativeOf(trace: Trace, title: string, { full = false }: { full?: boolean } = {}): Narrative {
  return {
    title: clean(title),
    told: tell(trace, { full }),
    outcome: outcomeText(trace),
    verdict: firstOf(trace, 'verdict')?.outcome ?? null,
    why: why(trace),
  }
}

/**
 * Two stories on one axis of virtual time. What is the same in both runs across the page, what is not stands in the
 * column of its story; then come both verdicts with their reasons, and what has become of the outcome.
 */
export function sideBySide(
  left: Narrative,
  right: Narrative,
  { width, colour = noColour }: { width: number; colour?: Palette },
): string[] {
  const whole = Math.max(NARROWEST, width)
  const half = Math.floor((whole - BAR.length) / 2)
  const widest = Math.max(0, ...[...left.told, ...right.told].map(({ at }) => stamp(at).length))
  const hang = widest + 2
  const line = ({ at, who, text }: Told): string => `${stamp(at).padStart(widest)}  ${who}  ${text}`
  const cell = (told: Told | null): string[] => (told === null ? [] : wrap(line(told), half, hang))
  const paragraphs = (texts: readonly string[]): string[] => texts.flatMap((text) => wrap(text, half, 2))
  const rule = `${'─'.repeat(half + 1)}┼${'─'.repeat(half + 1)}`

  return [
    ...columns(paragraphs([left.title]), paragraphs([right.title]), half, colour.bold),
    rule,
    ...align(left.told, right.told).flatMap((row) =>
      'same' in row
        ? wrap(line(row.same), whole, hang).map(colour.dim)
        : columns(cell(row.left), cell(row.right), half),
    ),
    rule,
    ...columns(paragraphs([left.outcome]), paragraphs([right.outcome]), half, colour.bold),
    ...columns(paragraphs(left.why), paragraphs(right.why), half),
    '',
    colour.bold(verdictChange(left, right)),
  ]
}

/** `solved instead of violated`, or that the outcome has stayed. */
export function verdictChange(left: Pick<Narrative, 'verdict'>, right: Pick<Narrative, 'verdict'>): string {
  const [was, is] = [left.verdict ?? 'without a verdict', right.verdict ?? 'without a verdict']
  return was === is ? `${is}, as before` : `${is} instead of ${was}`
}

function columns(
  left: readonly string[],
  right: readonly string[],
  half: number,
  paint: (text: string) => string = (text) => text,
): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    `${paint(padTo(left[i] ?? '', half))}${BAR}${paint(right[i] ?? '')}`.trimEnd(),
  )
}
