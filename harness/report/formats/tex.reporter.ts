import { defineReporter } from '../../contract/index.js'
import { clean } from '../../trace/text.js'
import { contrastTables } from '../contrast-table.js'
import { frontTables } from '../front.js'
import { notes } from '../notes.js'
import { comparisonTable, oneLine } from '../table.js'
import type { Table } from '../table.js'

export default defineReporter({
  name: 'tex',
  summary: 'LaTeX: one booktabs table per case',
  run({ title, summary }) {
    const tables = [
      ...comparisonTable(summary),
      ...contrastTables(summary.contrasts ?? []),
      ...frontTables(summary),
    ].map(tableOf)
    const remarks = notes(summary).map((note) => `% ${clean(note)}`)
    return [`% ${clean(title)}. Needs \\usepackage{booktabs}.`, ...remarks, '', ...tables].join('\n')
  },
})

function tableOf({ caption, simulated, columns, rows }: Table, index: number): string {
  const head = columns.map(({ title }) => oneLine(title))
  const row = (cells: readonly string[]) => `    ${cells.map(escapeTex).join(' & ')} \\\\`
  return [
    '\\begin{table}',
    '  \\centering',
    '  \\small',
    `  \\caption{${escapeTex(simulated ? `${caption} (simulated model)` : caption)}}`,
    `  \\label{tab:sora-bench-${index + 1}}`,
    `  \\begin{tabular}{${columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('')}}`,
    '    \\toprule',
    row(head),
    '    \\midrule',
    ...rows.map(row),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n')
}

const SPECIAL: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  // After a line break, LaTeX takes a bracket for an option.
  '[': '{[}',
  ']': '{]}',
  '–': '--',
  '·': '\\textperiodcentered{}',
}

/** Names and parameters are data: none of their characters may be a command. Groups of digits keep together. */
export function escapeTex(text: string): string {
  return clean(text)
    .replaceAll(/[&%$#_{}]|[\\~^<>|[\]–·]/g, (character) => SPECIAL[character] ?? `\\${character}`)
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, '\\,')
}
