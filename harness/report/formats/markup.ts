import { clean } from '../../trace/text.js'

/** A Markdown table of plain texts; the first row is its head. */
export function rows(cells: readonly (readonly string[])[], aligns: readonly ('left' | 'right')[] = []): string {
  const [head = [], ...body] = cells
  const rule = head.map((_, index) => (aligns[index] === 'right' ? '---:' : '---'))
  return [head.map(escape), rule, ...body.map((row) => row.map(escape))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/** For Markdown: names and parameters are data, and must not become markup. */
export function escape(text: string): string {
  return clean(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_|[\]]/g, String.raw`\$&`)
}

/** A code span: the fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const inner = clean(text)
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${inner}${fence}` : `${fence} ${inner} ${fence}`
}

/** XML 1.0 has no way to write a control character, a half surrogate or a non-character, so they are left out. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cf}\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
