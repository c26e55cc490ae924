/** Left-aligned columns; the last one wraps at the terminal's width. */
export function columns(rows: readonly string[][], indent = 0): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, cell] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  const left = indent + widths.reduce((sum, width) => sum + width + 2, 0)
  const room = Math.max(30, (process.stdout.columns ?? 120) - left)
  return rows
    .map((row) => {
      const head = row.slice(0, -1).map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2))
      const [first = '', ...rest] = wrap(row.at(-1) ?? '', room)
      return [
        `${' '.repeat(indent)}${head.join('')}${first}`.trimEnd(),
        ...rest.map((line) => ' '.repeat(left) + line),
      ].join('\n')
    })
    .join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
