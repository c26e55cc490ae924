/** A labelled item of a manual: an operation or a signal with its fields. */
export interface Item {
  kind: 'operation' | 'signal'
  name: string
  fields: Map<string, string>
}
/** What stands under one tool id, before it is understood. */
export interface Chapter {
  tool: string | null
  items: Item[]
  tables: string[][][]
}

const LABEL = /^[*-]?\s*\*{0,2}([A-Z][A-Za-z ]{2,20}):\*{0,2}\s*(.*)$/
const MARKED = /^(?:[#|*]|- |\d+\. |---|```|<)/

/** Splits a markdown text into chapters, items and tables. */
export function readChapters(text: string): Chapter[] {
  let chapter: Chapter = { tool: null, items: [], tables: [] }
  const chapters = [chapter]
  let item: Item | null = null
  let table: string[][] | null = null
  for (const line of logicalLines(text)) {
    if (line.startsWith('|')) {
      if (table === null) chapter.tables.push((table = []))
      const cells = cellsOf(line)
      if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.push(cells)
      continue
    }
    table = null
    const [, label = '', value = ''] = LABEL.exec(line) ?? []
    const word = label.toLowerCase()
    if (word === 'tool id') {
      chapter = { tool: nameIn(value), items: [], tables: [] }
      chapters.push(chapter)
      item = null
    } else if (word === 'operation' || word === 'signal') {
      item = { kind: word, name: nameIn(value) ?? '', fields: new Map() }
      chapter.items.push(item)
    } else if (line.startsWith('#')) item = null
    else if (word !== '' && item !== null && !item.fields.has(word)) item.fields.set(word, value)
  }
  return chapters
}

/** One line per paragraph, table row or list item: the wrapped lines of a text are joined. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open = false
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    const last = lines.at(-1)
    if (line === '') {
      open = false
      continue
    }
    const wrappedRow = open && last !== undefined && last.startsWith('|') && !last.endsWith('|')
    const wrapped = (open && !MARKED.test(line) && last !== undefined && !last.startsWith('#')) || /^\s/.test(raw)
    if (last !== undefined && (wrappedRow || wrapped) && !last.startsWith('---')) {
      lines[lines.length - 1] = `${last} ${line}`
    } else lines.push(line)
    open = true
  }
  return lines
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

export const nameIn = (text: string): string | null => /`([^`]+)`/.exec(text)?.[1] ?? null
