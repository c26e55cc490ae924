import type { Mind } from './traits.js'

/** What can get lost without anybody noticing: items of lists, rows of tables, and numbered rules. */
const ITEM = /^\s*(?:[-*]|\||\d+\.)\s*\S/
const RULE = /^\|[\s:|-]+\|?$/

/** A text as it comes back from who retypes it: word for word, or with one item left out. */
export function retype(text: string, mind: Mind): string {
  const slip = mind.slips(text)
  if (slip === null) return text
  const lines = text.split('\n')
  const items = lines.flatMap((line, index) => (ITEM.test(line) && !RULE.test(line) ? [index] : []))
  const lost = items[Math.floor(slip * items.length)]
  return lines.filter((_, index) => index !== lost).join('\n')
}
