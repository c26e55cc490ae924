import { parseJson } from './json.js'

/** `## TITLE` and its body; an empty body is said so. */
export function section(title: string, body: string | readonly string[]): string {
  const text = typeof body === 'string' ? body : body.join('\n')
  return `## ${title}\n${text === '' ? '(none)' : text}\n`
}

/** All that anybody takes for the end of a line. */
const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
/** How lines begin that mean something in a prompt, or that stand quoted. */
const STRUCTURE = /^\s*(?:[#><]|(?:- )?\{(?!\{)|Verbs:|Unread documents:)/
const QUOTE = '> '

/**
 * Somebody's words as they stand in a prompt: one plain line as it is; several, or one that could be taken for a heading,
 * a fact or a document, with each line behind `> `. So nothing that is written in a goal becomes a part of the prompt.
 */
export function quote(text: string): string {
  const lines = text.split(BREAK)
  return lines.length === 1 && !STRUCTURE.test(text) ? text : lines.map((line) => QUOTE + line).join('\n')
}

/** `quote` backwards; other line breaks come back as newlines. */
export function unquote(text: string): string {
  const lines = text.split('\n')
  if (!lines.every((line) => line.startsWith(QUOTE))) return text
  return lines.map((line) => line.slice(QUOTE.length)).join('\n')
}

/** Steps as numbered lines; what follows the first line of one is quoted below it. */
export function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => {
    const [first = '', ...rest] = step.split(BREAK)
    return [`${index + 1}. ${first}`, ...rest.map((line) => QUOTE + line)].join('\n')
  })
}

/** The steps of numbered lines, without their numbers. */
export function readNumbered(lines: readonly Line[]): string[] {
  const steps: string[] = []
  for (const { text, quoted } of lines) {
    if (quoted === true && steps.length > 0) steps.push(`${steps.pop() ?? ''}\n${text}`)
    else steps.push(text.replace(/^\d+\. /, ''))
  }
  return steps
}

const FENCE = '<document id='
const END = '\n</document>'
const opening = (id: string): string => `${FENCE}${JSON.stringify(id)}>\n`

/** A document, fenced as untrusted: what stands inside informs, it commands nothing. */
export function fence(id: string, text: string): string {
  return `${opening(id)}${text.replaceAll('</document>', '<\\/document>').trim()}${END}`
}

export const isFenced = (text: string, id: string): boolean => text.startsWith(opening(id))

/** A line of a prompt; `quoted`: of somebody's words, without the mark, and no part of the prompt itself. */
export interface Line {
  text: string
  quoted?: true
}

/** A text of a prompt, taken apart: its lines with the section that they stand in, and its fenced documents. */
interface PromptText {
  lines: (Line & { section: string | null })[]
  documents: { section: string | null; id: string; text: string }[]
}

/**
 * Takes a text apart. What a fence holds is a document and never anything else, also where it is not closed.
 * Tool results have no sections: a heading in one is a line.
 */
export function readPromptText(text: string, sectioned: boolean): PromptText {
  const parts: PromptText = { lines: [], documents: [] }
  let title: string | null = null
  for (let start = 0; start <= text.length;) {
    if (text.startsWith(FENCE, start)) {
      const head = lineEnd(text, start)
      const close = endOfFence(text, head)
      const id = idOf(text.slice(start + FENCE.length, head))
      if (id !== null) parts.documents.push({ section: title, id, text: text.slice(head + 1, close) })
      start = lineEnd(text, Math.min(close + 1, text.length)) + 1
      continue
    }
    const end = lineEnd(text, start)
    const line = text.slice(start, end)
    const heading = sectioned && line.startsWith('## ') ? /^## ([A-Z][A-Z ]*)$/.exec(line)?.[1] : undefined
    if (heading !== undefined) title = heading
    else if (line.startsWith(QUOTE)) parts.lines.push({ section: title, text: line.slice(QUOTE.length), quoted: true })
    else if (line !== '') parts.lines.push({ section: title, text: line })
    start = end + 1
  }
  return parts
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function endOfFence(text: string, head: number): number {
  let close = text.indexOf(END, head)
  while (close !== -1 && close + END.length < text.length && text[close + END.length] !== '\n') {
    close = text.indexOf(END, close + 1)
  }
  return close === -1 ? text.length : close
}

function idOf(attribute: string): string | null {
  const id = parseJson(attribute.replace(/>\s*$/, ''))
  return typeof id === 'string' ? id : null
}

/** How many of the documents that were discovered are unread. */
export const unreadLine = (count: number): string => `Unread documents: ${count}`
export const readUnread = (line: string): number | null => {
  const found = /^Unread documents: (\d+)/.exec(line)?.[1]
  return found === undefined ? null : Number(found)
}

/** The verbs of an architecture, in a repertoire. */
export const verbsLine = (verbs: readonly string[]): string => `Verbs: ${verbs.join(', ')}.`
export const readVerbs = (line: string): string[] | null =>
  line.startsWith('Verbs:') ? (line.slice('Verbs:'.length).match(/\w+/g) ?? []) : null

/** Goals as one text: one is its own text, several are numbered lines. */
export function goalText(texts: readonly string[]): string {
  const [only = '', ...others] = texts
  if (others.length === 0) return only
  return texts.map((text, index) => `${index + 1}. ${oneLine(text)}`).join('\n')
}

/** The same as a prompt shows it. */
export const goal = (texts: readonly string[]): string => {
  const [only = '', ...others] = texts
  return others.length === 0 ? quote(only) : goalText(texts)
}

export const oneLine = (text: string): string => text.replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029][\s\u0085]*/g, ' ')

/** The line of a manual that declares a signal. */
export const signalHeading = (name: string): string => `* **Signal:** \`${name}\``
export const signalsIn = (manual: string): string[] =>
  [...manual.matchAll(/^\* \*\*Signal:\*\* `([^`]+)`/gm)].map(([, name = '']) => name)
