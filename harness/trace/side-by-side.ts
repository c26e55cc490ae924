import type { Trace } from '../contract/index.js'
import { firstOf } from './records.js'
import { outcomeText, tell } from './story.js'
import type { Told } from './story.js'
import { clean, noColour, padTo, stamp, wrap } from './text.js'
import type { Palette } from './text.js'
import { why } from './why.js'

/** A moment of both stories: told the same on both sides, or on each side what it has; null where it has nothing. */
type Row = { same: Told } | { left: Told | null; right: Told | null }

/** Both stories in the order of virtual time. What both tell at the same instant in the same words is one row. */
function align(left: readonly Told[], right: readonly Told[]): Row[] {
  const times = [...new Set([...left, ...right].map(({ at }) => at))].toSorted((a, b) => a - b)
  const [ours, theirs] = [byTime(left), byTime(right)]
  return times.flatMap((at) => instant(ours.get(at) ?? [], theirs.get(at) ?? []))
}

function byTime(told: readonly Told[]): Map<number, Told[]> {
  const groups = new Map<number, Told[]>()
  for (const line of told) {
    const group = groups.get(line.at)
    if (group === undefined) groups.set(line.at, [line])
    else group.push(line)
  }
  return groups
}

function instant(left: readonly Told[], right: readonly Told[]): Row[] {
  const rows: Row[] = []
  let rest = right
  let alone: Told[] = []
  const flush = (others: readonly Told[]): void => {
    for (let i = 0; i < Math.max(alone.length, others.length); i++) {
      rows.push({ left: alone[i] ?? null, right: others[i] ?? null })
    }
    alone = []
  }
  for (const line of left) {
    const index = rest.findIndex(({ who, text }) => who === line.who && text === line.text)
    if (index < 0) {
      alone.push(line)
      continue
    }
    flush(rest.slice(0, index))
    rows.push({ same: line })
    rest = rest.slice(index + 1)
  }
  flush(rest)
  return rows
}

/** A trial's story, ready to be set beside another. */
interface Narrative {
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
