import { byPhrase } from './wording.js'

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

/** Other names of the labels of docs/wire.md; a test compares them with docs/simulated-model.md. */
export const LABELS: Readonly<Record<string, string>> = {
  'tool id': 'tool id, tool-id, tool',
  operation: 'operation, action, command',
  signal: 'signal, event, notification',
  description: 'description, summary, purpose, what it does',
  behavior: 'behavior, behaviour, timing, how it behaves',
  preconditions: `
    preconditions, precondition, pre-conditions, conditions, requirements, requires, prerequisites, needs, needed,
    before the call, allowed when, allowed if, only if, only when`,
  effects: 'effects, effect, results, result, outcome, consequences, postconditions',
  payload: 'payload, arguments, parameters, call, body',
  trigger: 'trigger, triggered when, emitted when, sent when, raised when, when',
}
const labels = byPhrase(LABELS)
/** Labels of what begins something new, which is to be named by nothing but its name. */
const NAMING = new Set(['tool id', 'operation', 'signal'])

const BULLET = /^(?:[*+•-]|\d+[.)])\s+/
const LABEL =
  /^(?:[*+•-]\s+|\d+[.)]\s+)?[*_]{0,2}([A-Za-z][A-Za-z -]{2,20}?)(?:[*_]{0,2}:|:[*_]{1,2})[*_]{0,2}(?:\s+(.*))?$/
const MARKED = /^(?:[#|*•]|[-+] |\d+[.)] |---|```|<)/
const ONE_NAME = /^`[^`]+`\.?$/

interface Labelled {
  label: string
  value: string
}

function labelled(line: string): Labelled | null {
  const [, word = '', value = ''] = LABEL.exec(line) ?? []
  const label = labels.get(word.toLowerCase())
  if (label === undefined || (NAMING.has(label) && !ONE_NAME.test(value))) return null
  return { label, value }
}

/** Splits a markdown text into chapters, items and tables. */
export function readChapters(text: string): Chapter[] {
  let chapter: Chapter = { tool: null, items: [], tables: [] }
  const chapters = [chapter]
  let item: Item | null = null
  let table: string[][] | null = null
  let kind: Item['kind'] | null = null
  const begin = (made: Item) => {
    item = made
    chapter.items.push(made)
  }
  for (const line of logicalLines(text)) {
    if (line.startsWith('|')) {
      if (table === null) chapter.tables.push((table = []))
      const cells = cellsOf(line)
      if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.push(cells)
      continue
    }
    table = null
    if (line.startsWith('#')) {
      const title = /^#+\s+(.*)$/.exec(line)?.[1] ?? ''
      const [, word = '', name = ''] = /^(?:([A-Za-z]+):? )?(`[^`]+`)$/.exec(title) ?? []
      const named = word === '' ? kind : (labels.get(word.toLowerCase()) ?? null)
      item = null
      if (name === '') kind = kindIn(title)
      else if (named === 'operation' || named === 'signal')
        begin({ kind: named, name: nameIn(name) ?? '', fields: new Map() })
      continue
    }
    const { label, value } = labelled(line) ?? { label: '', value: '' }
    if (label === 'tool id') {
      chapter = { tool: nameIn(value), items: [], tables: [] }
      chapters.push(chapter)
      item = null
    } else if (label === 'operation' || label === 'signal')
      begin({ kind: label, name: nameIn(value) ?? '', fields: new Map() })
    else if (label !== '') put(item, label, value)
  }
  return chapters
}

function put(item: Item | null, label: string, value: string): void {
  if (item !== null && !item.fields.has(label)) item.fields.set(label, value)
}

/** What the items under a heading are. */
function kindIn(title: string): Item['kind'] | null {
  if (/\b(?:operations|actions|commands)\b/i.test(title)) return 'operation'
  return /\b(?:signals|events|notifications)\b/i.test(title) ? 'signal' : null
}

/** One line per paragraph, table row or list item: the wrapped lines of a text are joined, and lists below an item. */
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
    const begins = MARKED.test(line) || labelled(line) !== null
    const wrapped = (open && !begins && last !== undefined && !last.startsWith('#')) || /^\s/.test(raw)
    if (last !== undefined && (wrappedRow || wrapped) && !last.startsWith('---')) {
      lines[lines.length - 1] = `${last} ${/^\s/.test(raw) ? line.replace(BULLET, '• ') : line}`
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

/** The name that stands in backticks. */
export const nameIn = (text: string): string | null => /`([^`]+)`/.exec(text)?.[1] ?? null
