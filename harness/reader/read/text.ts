import type { Json } from '../../contract/index.js'
import { parseJson } from '../../kit/index.js'
import { createTextCache } from '../../model/tokens.js'

/** The JSON value that begins at `start`, and where it ends; null where none does. Strings may hold brackets. */
export function jsonAt(text: string, start: number): { value: Json; end: number } | null {
  const end = endOf(text, start)
  const value = end === null ? undefined : parseJson(text.slice(start, end))
  return end === null || value === undefined ? null : { value, end }
}

function endOf(text: string, start: number): number | null {
  const first = text[start]
  if (first !== '"' && first !== '{' && first !== '[') {
    const scalar = /^(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(text.slice(start, start + 40))
    return scalar === null ? null : start + scalar[0].length
  }
  let depth = 0
  let quoted = false
  for (let index = start; index < text.length; index++) {
    const char = text[index]
    if (quoted) {
      if (char === '\\') index += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (!quoted && depth === 0) return index + 1
  }
  return null
}

const known = createTextCache<ReadonlySet<string>>(2_048)
const STOP = new Set(
  `the and are for with from that this then than not but its has have had was were will shall can could should would may must
  who what when where which while until unless into onto over under below above least most more less only also all any each other
  some such via per out off one two you your they them their there here very now once does did done verify perform keep sure find
  make makes made use used uses system value values state status current currently`
    .split(/\s+/)
    .map(stem),
)

/** Names stand in backticks, and no name may be weighed: what is left is prose. */
export function mask(text: string): string {
  return text.replaceAll(/`[^`]*`/g, '_')
}

/** The content words of a prose, as stems. */
export function wordsOf(text: string): ReadonlySet<string> {
  return known.get(text, read)
}

function read(text: string): ReadonlySet<string> {
  const found =
    mask(text)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  return new Set(found.map(stem).filter((word) => !STOP.has(word)))
}

export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared
}

export function union(...sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]))
}

/** Crude on purpose: related words share their first letters. */
function stem(word: string): string {
  const bare = word.replace(/(?<=\p{L}{3})(?:ings?|ed|es|s)$/u, '')
  return bare.slice(0, 6)
}
