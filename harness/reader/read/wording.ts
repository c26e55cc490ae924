import type { Comparison } from './rule.js'

/**
 * Words that a reader takes for the same, by what they mean. Printed in docs/simulated-model.md, which a test compares.
 * What stands in none of these classes is no part of a condition, and a clause that holds it is not read.
 */
export const WORDINGS: Readonly<Record<string, string>> = {
  below: 'below, under, beneath, less than, lower than, smaller than, fewer than, <',
  above: 'above, over, beyond, more than, greater than, higher than, larger than, >',
  at_least: `
    at least, no less than, not less than, no fewer than, not fewer than, no lower than, not lower than, not below,
    not under, at or above, a minimum of, greater than or equal to, more than or equal to, ≥, >=`,
  at_most: `
    at most, no more than, not more than, no greater than, not greater than, no higher than, not higher than,
    not above, not over, at or below, a maximum of, less than or equal to, ≤, <=`,
  is: `
    is, are, be, been, to be, equals, equal, equal to, set to, reads, shows, stays, stay, remains, remain, becomes,
    become, turns, gets, get, ends up, end up, shown as, reported as, marked as, stands at, amounts to, =, ==`,
  reaches: 'reaches, reach, reached',
  exceeds: 'exceeds, exceed, exceeded, exceeding',
  moves: 'falls, fall, fallen, drops, drop, dropped, sinks, rises, rise, risen, climbs, climb, goes, go, gone',
  not: 'not, never, does not, do not, other than, different from, ≠, !=',
  must: 'must, shall, should',
  needs: 'has to, have to, needs to, need to, ought to, is required to, are required to',
  requires: `
    requires, requires that, needs that, it is required that, it is necessary that, make sure, make sure that,
    ensure, ensure that, check, check that, check first that, verify, verify that, confirm, confirm that, see that,
    see to it that`,
  required: 'required for, required as, required in, needed for, needed as, needed in, shown by, reported by',
  only: 'only',
  if: 'if, when, once, after, as soon as, provided, provided that, if and only if',
  while: 'while, as long as',
  unless: 'unless, except when, except if, except while',
  until: 'until, till, before',
  wait: 'wait, hold off',
  allowed: `
    allowed, permitted, possible, accepted, available, works, call, call it, call this, use, use it, use this,
    can be called, may be called, can only be called, may only be called, can only be used, may only be used`,
  refused: 'refused, will be refused, rejected, will be rejected, forbidden, prohibited, impossible',
  of: 'of, at, on, in, from',
  '°C': 'degrees celsius, degrees c, ° c, degrees',
  the: 'the, a, an',
  '': `
    that, please, always, already, now, first, beforehand, has, have, property, it, tool, value, the value of,
    currently, you, operation, for this, before that, before the call, before calling it, before it is called,
    at the time of the call, for the call to be accepted, or the call is refused, or else the call is refused,
    otherwise the call is refused`,
}

/** Each phrase of such a table, and its class. */
export function byPhrase(classes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const entries = Object.entries(classes)
  return new Map(entries.flatMap(([name, all]) => all.split(',').map((phrase) => [phrase.trim(), name] as const)))
}

const escaped = (phrase: string): string => phrase.replaceAll(/[<>=!]/g, '\\$&').replaceAll(' ', '\\s+')
/** A word may begin a sentence; in capitals it is a value, but for those that people write so for emphasis. */
const cased = (phrase: string): string => {
  const [first = ''] = phrase
  const either = /[a-z]/.test(first) ? `[${first}${first.toUpperCase()}]${escaped(phrase.slice(1))}` : escaped(phrase)
  return /^(?:not|never|only|unless|must)$/.test(phrase) ? `${either}|${phrase.toUpperCase()}` : either
}
const meanings = byPhrase(WORDINGS)
const phrases = [...meanings.keys()].toSorted((a, b) => b.length - a.length)
const isWord = (phrase: string): boolean => /^[a-z°]/.test(phrase)
const KNOWN = new RegExp(
  `\`[^\`]*\`|(?<![\\w-])(?:${phrases.filter(isWord).map(cased).join('|')})(?![\\w-])|${phrases
    .filter((phrase) => !isWord(phrase))
    .map(escaped)
    .join('|')}`,
  'g',
)

/** A text with its known words replaced by what they mean, `§below`; what stands in backticks stays. */
export function meaningOf(text: string): string {
  return text
    .replaceAll(/\b(is|are|does|do|must|should|has|have)n['’]t\b/gi, '$1 not')
    .replaceAll(KNOWN, (found) => {
      if (found.startsWith('`')) return found
      const meaning = meanings.get(found.toLowerCase().replaceAll(/\s+/g, ' ')) ?? ''
      return meaning === '' ? ' ' : meaning === '°C' ? meaning : ` §${meaning} `
    })
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/§is(?: §is)+/g, '§is')
    .trim()
}

const OPPOSITE = {
  is: 'is_not',
  below: 'at_least',
  above: 'at_most',
  at_least: 'below',
  at_most: 'above',
} as const

const OPS = new Map<string | undefined, keyof typeof OPPOSITE>([
  ['below', 'below'],
  ['above', 'above'],
  ['at_least', 'at_least'],
  ['at_most', 'at_most'],
  ['exceeds', 'above'],
])

/** What a comparison means for a value, by the word that stands for it (none: equality), and whether it is denied. */
export function comparison(word: string | undefined, numeric: boolean, denied: boolean): Comparison {
  const op = word === 'reaches' && numeric ? 'at_least' : (OPS.get(word) ?? 'is')
  return denied ? OPPOSITE[op] : op
}
