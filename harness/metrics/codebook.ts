import type { Metric } from '../define/index.js'

/** What every metric means, as a Markdown table made from the declarations. */
export function codebook(metrics: readonly Metric[]): string {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, unit, better, summary, source }) => [`\`${name}\``, unit, better, summary, source])
  return [['name', 'unit', 'better', 'definition', 'source'], ['---', '---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('')
}
