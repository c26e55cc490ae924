import { createTextCache } from '../cache.js'

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
