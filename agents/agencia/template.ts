import { readLiteral } from './strings.js'

export type DirectiveName = 'Get' | 'AskUser' | 'Options' | 'Suggest'
/** A piece of a declared text: words, or something to do in their place. `source` is what stood there. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'directive'; name: DirectiveName; args: string[]; source: string }

/** Least and greatest number of arguments, and how it is written. */
const DIRECTIVES: Readonly<Record<DirectiveName, { least: number; most: number; form: string }>> = {
  Get: { least: 1, most: 2, form: '.Get "agent" ["input"]' },
  AskUser: { least: 1, most: 1, form: '.AskUser "question"' },
  Options: { least: 3, most: Infinity, form: '.Options "question" "choice" "choice" …' },
  Suggest: { least: 1, most: 1, form: '.Suggest "agent"' },
}
const NAMES: readonly DirectiveName[] = ['Get', 'AskUser', 'Options', 'Suggest']
const FORMS = Object.values(DIRECTIVES)
  .map(({ form }) => `{{ ${form} }}`)
  .join(', ')

/** A text that its author must mend; the message names place and way out. */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

/**
 * Reads a text that an author has declared, with the delimiters of Go's text/template: `{{ … }}`, trimmed by `{{- ` and
 * ` -}}`. Only the directives above are known; whatever else stands between delimiters is an error.
 */
export function parseTemplate(text: string): Part[] {
  const parts: Part[] = []
  let trim = false
  for (let start = 0; start <= text.length;) {
    const open = text.indexOf('{{', start)
    const words = text.slice(start, open === -1 ? undefined : open)
    if (open === -1) {
      put(parts, trim ? trimGo(words, 'start') : words)
      break
    }
    const { directive, end, trimsLeft, trimsRight } = readAction(text, open)
    const led = trim ? trimGo(words, 'start') : words
    put(parts, trimsLeft ? trimGo(led, 'end') : led)
    parts.push(directive)
    trim = trimsRight
    start = end
  }
  return parts
}

interface Action {
  directive: Part & { kind: 'directive' }
  end: number
  trimsLeft: boolean
  trimsRight: boolean
}

/** `text[open]` is the first of the delimiters. */
function readAction(text: string, open: number): Action {
  const wrong = (what: string) => new TemplateError(`${placeOf(text, open)}: ${what}. Known: ${FORMS}`)
  const trimsLeft = /^\{\{-[ \t\r\n]/.test(text.slice(open, open + 4))
  let index = gapAfter(text, open + (trimsLeft ? 3 : 2))
  const word = wordAt(text, index)
  if (word === '') throw wrong(index < text.length ? 'no directive follows the delimiter' : UNCLOSED)
  const name = NAMES.find((known) => word === `.${known}`)
  if (name === undefined) throw wrong(`${JSON.stringify(word)} is no directive`)
  index += word.length
  const args: string[] = []
  for (;;) {
    const after = gapAfter(text, index)
    const trimsRight = after > index && text.startsWith('-}}', after)
    if (trimsRight || text.startsWith('}}', after)) {
      const { least, most } = DIRECTIVES[name]
      if (args.length < least || args.length > most) throw wrong(`.${name} does not take ${args.length} arguments`)
      const end = after + (trimsRight ? 3 : 2)
      return { directive: { kind: 'directive', name, args, source: text.slice(open, end) }, end, trimsLeft, trimsRight }
    }
    if (after >= text.length) throw wrong(UNCLOSED)
    if (after === index) throw wrong('arguments are parted by spaces')
    if (text[after] !== '"' && text[after] !== '`')
      throw wrong(
        `${JSON.stringify(wordAt(text, after) || text.charAt(after))} is no argument, which is a text in quotes`,
      )
    const literal = readLiteral(text, after)
    if ('wrong' in literal) throw wrong(literal.wrong)
    args.push(literal.value)
    index = literal.end
  }
}

const UNCLOSED = 'the delimiter {{ is not closed'

function gapAfter(text: string, start: number): number {
  let index = start
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index += 1
  return index
}

function wordAt(text: string, start: number): string {
  let end = start
  while (end < text.length && !' \t\r\n"`{}'.includes(text.charAt(end))) end += 1
  return text.slice(start, end)
}

/** What Go trims: spaces, tabs and ends of lines, and no other white space. */
function trimGo(text: string, side: 'start' | 'end'): string {
  return side === 'start' ? text.replace(/^[ \t\r\n]+/, '') : text.replace(/[ \t\r\n]+$/, '')
}

function put(parts: Part[], text: string): void {
  if (text !== '') parts.push({ kind: 'text', text })
}

function placeOf(text: string, index: number): string {
  const before = text.slice(0, index).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

/** What looks like a directive in a text that nobody has declared: it stays text. */
export function directivesWithin(text: string): string[] {
  return text.match(/\{\{-?\s*\.\w+[^]{0,500}?\}\}/g) ?? []
}
