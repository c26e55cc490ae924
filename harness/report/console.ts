import CliTable from 'cli-table3'
import pc from 'picocolors'
import type { Summary } from '../contract/index.js'
import type { Palette } from '../trace/text.js'
import { contrastTables } from './contrast-table.js'
import { frontTables } from './front.js'
import { notes } from './notes.js'
import { agentLabel, cases, comparisonTable, oneLine } from './table.js'
import type { Table } from './table.js'

/** Colours for people alone: a file or a pipe gets none, whatever the environment (CI included) seems to promise. */
const coloursOf = (stream: NodeJS.WriteStream) =>
  pc.createColors(pc.isColorSupported && (stream.isTTY || 'FORCE_COLOR' in process.env))

/** Honour NO_COLOR and FORCE_COLOR. */
export const onStdout = coloursOf(process.stdout)
export const onStderr = coloursOf(process.stderr)

const GAP = 2
/** No part of the frame is drawn. */
const FRAMELESS = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle')
    .map((part) => [part, '']),
)

export interface ConsoleOptions {
  /** The terminal's width. */
  columns?: number
  /** By default those of stdout. */
  colour?: Palette
}

/** The comparison tables and their notes, at most `columns` wide: a narrow terminal gets fewer columns. */
export function consoleReport(summary: Summary, { columns = 120, colour = onStdout }: ConsoleOptions = {}): string {
  const whole = [
    ...comparisonTable(summary),
    ...contrastTables(summary.contrasts ?? [], false),
    ...frontTables(summary, false),
  ]
  const narrowed = whole.map((table) => narrow(table, columns))
  const tables = narrowed.map((table) => draw(table, columns, colour))
  const lines = [...missing(whole, narrowed), ...notes(summary), ...behaviourNotes(summary)].flatMap((note) =>
    wrap(note, columns).map((line) => colour.dim(line)),
  )
  return `${[...tables, lines.join('\n')].join('\n\n')}\n`
}

/** One line for the console, where there is one case and few agents. */
function behaviourNotes(summary: Summary): string[] {
  const [only, ...others] = cases(summary)
  if (only === undefined || others.length > 0 || only.groups.length > 8) return []
  const counted = only.groups.flatMap((group) => {
    const { behaviours } = group
    return behaviours === null ? [] : [`${agentLabel(group, only.groups)} ${behaviours.distinct}/${behaviours.trials}`]
  })
  return counted.length === 0 ? [] : [`Distinct paths of calls per trials: ${counted.join(', ')}.`]
}

/** What a narrow terminal does not show must not look as if it had not been measured. */
function missing(whole: readonly Table[], narrowed: readonly Table[]): string[] {
  const gone = whole.flatMap((table, index) =>
    table.columns.filter((column) => narrowed[index]?.columns.includes(column) === false),
  )
  const names = [...new Set(gone.map(({ title }) => oneLine(title)))]
  return names.length === 0
    ? []
    : [`Left out where the terminal is too narrow: ${names.join(', ')}. The run's report.md has all columns.`]
}

export function draw({ caption, simulated, columns, rows }: Table, width: number, colour: Palette): string {
  const title = wrap(simulated ? `${caption} (simulated model)` : caption, width).map((line) => colour.bold(line))
  const table = new CliTable({
    chars: FRAMELESS,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
    head: columns.map((column) => column.title.split('\n').map(colour.bold).join('\n')),
    colAligns: columns.map(({ align }) => align),
  })
  table.push(...rows)
  const body = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
  return [...title, ...body].join('\n')
}

/** Leaves out columns, the least important first, until the rest fits. */
export function narrow(table: Table, columns: number): Table {
  const widths = table.columns.map(({ title }, index) =>
    Math.max(...title.split('\n').map((line) => line.length), ...table.rows.map((row) => (row[index] ?? '').length)),
  )
  const kept = new Set(table.columns.keys())
  const total = () => [...kept].reduce((sum, index) => sum + (widths[index] ?? 0) + GAP, -GAP)
  const leaving = [...table.columns.entries()]
    .filter(([, { keep }]) => keep > 0)
    .toSorted(([, a], [, b]) => a.keep - b.keep)
  for (const [index] of leaving) if (total() > columns) kept.delete(index)
  const pick = <T>(items: readonly T[]) => items.filter((_, index) => kept.has(index))
  return { ...table, columns: pick(table.columns), rows: table.rows.map(pick) }
}

export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
