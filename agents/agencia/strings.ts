/** Go's escapes in interpreted strings. Bytes above \x7f would make half a character: those are written \u or \U. */
const SINGLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}
const NUMERIC = /(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/y

/** A literal at a place of a text, and where the text goes on; or what is wrong with it. */
export type Literal = { value: string; end: number } | { wrong: string }

/** `text[start]` is the quote that opens it. */
export function readLiteral(text: string, start: number): Literal {
  return text[start] === '`' ? readRaw(text, start) : readInterpreted(text, start)
}

/** Everything up to the next backquote, but carriage returns, as in Go. */
function readRaw(text: string, start: number): Literal {
  const end = text.indexOf('`', start + 1)
  if (end === -1) return { wrong: 'a raw string is not closed' }
  return { value: text.slice(start + 1, end).replaceAll('\r', ''), end: end + 1 }
}

function readInterpreted(text: string, start: number): Literal {
  let value = ''
  for (let index = start + 1; index < text.length;) {
    const char = text.charAt(index)
    if (char === '"') return { value, end: index + 1 }
    if (char === '\n') break
    if (char !== '\\') {
      value += char
      index += 1
      continue
    }
    const escape = readEscape(text, index + 1)
    if (escape === null) return { wrong: `the escape ${JSON.stringify(text.slice(index, index + 2))} is unknown` }
    value += escape.value
    index = escape.end
  }
  return { wrong: 'a string is not closed on its line' }
}

function readEscape(text: string, start: number): { value: string; end: number } | null {
  const single = SINGLE[text.charAt(start)]
  if (single !== undefined) return { value: single, end: start + 1 }
  NUMERIC.lastIndex = start
  const [all, byte, short, long, octal] = NUMERIC.exec(text) ?? []
  if (all === undefined) return null
  const code = octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8)
  const isByte = byte !== undefined || octal !== undefined
  const valid = isByte ? code < 0x80 : code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return valid ? { value: String.fromCodePoint(code), end: start + all.length } : null
}
