import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { directivesWithin, parseTemplate, TemplateError } from './template.js'

/** Null: refused as a template. */
function readOrNull(text: string) {
  try {
    return parseTemplate(text)
  } catch (error) {
    if (error instanceof TemplateError) return null
    throw error
  }
}
const words = (text: string) => ({ kind: 'text', text })
const get = (source: string, ...args: string[]) => ({ kind: 'directive', name: 'Get', args, source })

test('the paper’s text is words and one directive', () => {
  expect(parseTemplate('Weather unknown. {{ .Get "almanac_weather" }}')).toEqual([
    words('Weather unknown. '),
    get('{{ .Get "almanac_weather" }}', 'almanac_weather'),
  ])
})

test('a text without delimiters is itself, and an empty one is nothing', () => {
  expect(parseTemplate('No { braces } }} here.')).toEqual([words('No { braces } }} here.')])
  expect(parseTemplate('')).toEqual([])
})

test('directives take one text or two, and spaces around them are free', () => {
  const names = parseTemplate(
    '{{.Get "a"}}{{ .Get\n"a" "b" }}{{.AskUser "q"}}{{.Options "q" "x" "y" "z"}}{{.Suggest `a`}}',
  )
  expect(names.flatMap((part) => (part.kind === 'text' ? [] : [[part.name, ...part.args]]))).toEqual([
    ['Get', 'a'],
    ['Get', 'a', 'b'],
    ['AskUser', 'q'],
    ['Options', 'q', 'x', 'y', 'z'],
    ['Suggest', 'a'],
  ])
})

test.each([
  ['left  {{- .Get "a" }}  right', ['left', '  right']],
  ['left\r\n\t {{ .Get "a" -}} \n right', ['left\r\n\t ', 'right']],
  [' {{- .Get "a" -}} ', []],
  // Go does not trim what it does not call a space.
  ['left\u00a0{{- .Get "a" }}', ['left\u00a0']],
])('the trimming of %j leaves %j', (text, left) => {
  expect(parseTemplate(text).flatMap((part) => (part.kind === 'text' ? [part.text] : []))).toEqual(left)
})

test.each([
  [String.raw`"\a\b\f\n\r\t\v\\\""`, '\u0007\b\f\n\r\t\v\\"'],
  [String.raw`"\x41\101\u00e9\U0001F327"`, 'AAé🌧'],
  ['"}} is no end here"', '}} is no end here'],
  ['`raw \\n "as it is" }}`', 'raw \\n "as it is" }}'],
  ['`over\r\nlines`', 'over\nlines'],
  ['""', ''],
])('the literal %s means %j', (literal, meaning) => {
  expect(parseTemplate(`{{ .Get ${literal} }}`)).toEqual([get(`{{ .Get ${literal} }}`, meaning)])
})

test.each([
  ['{{ }}', 'line 1, column 1: no directive follows the delimiter'],
  ['one\ntwo {{ .Got "a" }}', 'line 2, column 5: ".Got" is no directive'],
  ['{{ "a" }}', 'line 1, column 1: no directive follows the delimiter'],
  ['{{ if .Get }}', '"if" is no directive'],
  ['{{/* note */}}', '"/*" is no directive'],
  ['{{ $x := .Get "a" }}', '"$x" is no directive'],
  ['{{ .Get }}', '.Get does not take 0 arguments'],
  ['{{ .Get "a" "b" "c" }}', '.Get does not take 3 arguments'],
  ['{{ .AskUser "a" "b" }}', '.AskUser does not take 2 arguments'],
  ['{{ .Options "q" "x" }}', '.Options does not take 2 arguments'],
  ['{{ .Get "a" | upper }}', '"|" is no argument, which is a text in quotes'],
  ['{{ .Get a }}', '"a" is no argument, which is a text in quotes'],
  ['{{ .Get"a" }}', 'arguments are parted by spaces'],
  ['{{ .Get "a""b" }}', 'arguments are parted by spaces'],
  ['{{ .Get "a"-}}', 'arguments are parted by spaces'],
  ['{{ .Get "a" ', 'the delimiter {{ is not closed'],
  ['{{', 'the delimiter {{ is not closed'],
  ['{{ .Get "a }}', 'a string is not closed on its line'],
  ['{{ .Get "a\nb" }}', 'a string is not closed on its line'],
  ['{{ .Get `a }}', 'a raw string is not closed'],
  [String.raw`{{ .Get "\q" }}`, String.raw`the escape "\\q" is unknown`],
  [String.raw`{{ .Get "\'" }}`, String.raw`the escape "\\'" is unknown`],
  [String.raw`{{ .Get "\xff" }}`, String.raw`the escape "\\x" is unknown`],
  [String.raw`{{ .Get "\ud800" }}`, String.raw`the escape "\\u" is unknown`],
  [String.raw`{{ .Get "\U00110000" }}`, String.raw`the escape "\\U" is unknown`],
])('%j is refused: %s', (text, reason) => {
  expect(() => parseTemplate(text)).toThrow(reason)
})

test('an error names what is known', () => {
  expect(() => parseTemplate('{{ now }}')).toThrow(
    'line 1, column 1: "now" is no directive. Known: {{ .Get "agent" ["input"] }}, {{ .AskUser "question" }}, {{ .Options "question" "choice" "choice" … }}, {{ .Suggest "agent" }}',
  )
})

test('in texts of others all that looks like a directive is found, whether it is known or not', () => {
  const text = 'a {{ .Get "x" }} b {{- .Delete `y` -}} {{ if }} {{.}} { .Get } {{ .Open'
  expect(directivesWithin(text)).toEqual(['{{ .Get "x" }}', '{{- .Delete `y` -}}'])
})

test('every text can be written as a literal, and is read back as itself', () => {
  const quoted = (text: string) =>
    `"${Array.from(text, (char) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}"`
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const source = `{{ .Get ${quoted(text)} }}`
      expect(parseTemplate(source)).toEqual([get(source, text)])
    }),
  )
})

test('whatever an author writes is read, or refused as a template: it never fails otherwise, and loses no words', () => {
  const piece = fc.constantFrom('{{', '}}', '{{- ', ' -}}', ' .Get ', '"', '`', '\\', 'a', ' ', '\n', '"x"', '.AskUser')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      const read = readOrNull(text)?.map((part) => (part.kind === 'text' ? part.text : part.source))
      const shown = read?.join('') ?? text
      expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }),
    { numRuns: 2_000 },
  )
})
