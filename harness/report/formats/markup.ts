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

/** A test case of a JUnit file, ready to print. */
export interface Case {
  text: string
  state: 'passed' | 'failure' | 'error'
}

interface Suite {
  name: string
  /** What stands before the cases. */
  properties?: readonly string[]
  cases: readonly Case[]
}

export function junit(name: string, suites: readonly Suite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name: own, properties = [], cases }) => [
      `  <testsuite name="${escapeXml(own)}" ${countsOf(cases)}>`,
      ...properties,
      ...cases.map(({ text }) => text),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function countsOf(cases: readonly Case[]): string {
  const of = (state: Case['state']): number => cases.filter((one) => one.state === state).length
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="0"`
}
