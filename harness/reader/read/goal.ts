import { createTextCache } from '../../model/tokens.js'
import type { Rule } from './rule.js'
import { wordsOf } from './text.js'
import { comparison, meaningOf } from './wording.js'

/** A goal as the grammar of docs/simulated-model.md reads it. Its rules name no tool and no property yet. */
export interface Goal {
  text: string
  /** What must hold in the end, in the order of the text. */
  until: Rule[]
  /** What must hold whenever the property that it speaks of is changed. */
  guards: Rule[]
  /** What must hold all along. */
  keep: Rule[]
  literals: string[]
  words: ReadonlySet<string>
  /** Goals that do not depend on each other: the numbered lines of the text, where there are several. Else none. */
  parts: readonly Goal[]
}

const COMPARED = 'below|above|at_least|at_most|exceeds|reaches'
const NUMERIC = new RegExp(`§(${COMPARED}) (-?\\d+(?:\\.\\d+)?)\\s*([^\\s\\d.,;:!?()§]+)?`)
const VALUE = /§(is|reaches)( §not)?(?: §the (?:state|status))? ([A-Z][A-Z0-9_]+)\b/
const BROUGHT = /\b(?:[Bb]ring|[Gg]et|[Tt]ake|[Ss]et|[Ss]witch|[Tt]urn)s?\b.* to ([A-Z][A-Z0-9_]+)\b/
const REMAINDER = /\bmod(?:ulo)? ([1-9]\d*) §is (\d+)\b/
/** Always, and what nobody may let happen. */
const ALL_ALONG =
  /\b(?:keep(?:ing)?(?! (?:going|on|trying))|maintain(?:ing)?|hold(?:ing)?(?! (?:off|of|on))|throughout|meanwhile|always|never (?:let|allow|reach|exceed|fall|drop|rise|go|be)|(?:at|for) all times?|at no time|all the (?:while|time)|the whole time)\b/i
/** Nothing but the words that make what follows hold all along. */
const FROM_NOW = /^\s*(?:throughout|meanwhile|always|at all times|all the (?:while|time)|at no time)(?: the \w+)?\s*$/i

const goals = createTextCache<Goal>(512)

export function readGoal(text: string): Goal {
  return goals.get(text, parse)
}

function parse(text: string): Goal {
  const goal = parseOne(text)
  const parts = numberedParts(text).map(parseOne)
  return parts.length < 2 ? goal : { ...goal, parts }
}

/** What stands before the first number is no goal; a line without a number goes on with the one before. */
export function numberedParts(text: string): string[] {
  const parts: string[] = []
  for (const line of text.split('\n')) {
    const [, begun] = /^\s*\d+\.\s+(\S.*)$/.exec(line) ?? []
    if (begun !== undefined) parts.push(begun)
    else if (parts.length > 0) parts.push(`${parts.pop() ?? ''} ${line.trim()}`.trim())
  }
  return parts
}

function parseOne(text: string): Goal {
  const goal: Goal = {
    text,
    until: [],
    guards: [],
    keep: [],
    literals: [...text.matchAll(/["“]([^"”]+)["”]/g)].map(([, literal = '']) => literal),
    words: wordsOf(text),
    parts: [],
  }
  const plain = text
    .replaceAll(/\bif and only if\b/gi, 'only if')
    .replaceAll(/["“][^"”]*["”]/g, ' ')
    .replaceAll(/(\d)[,  ](?=\d{3}\b)/g, '$1')
  for (const sentence of plain.split(/[.;:!?](?=\s|$)/)) {
    let bucket = goal.until
    // What the clause before says to hold all along is told by this one, where it begins so.
    let carried: RegExp | null = null
    for (const clause of sentence.split(/,\s|\band\b(?! only\b)|\bthen\b|\buntil\b/)) {
      const rule = readRule(clause)
      // “keep it above 1 bar and below 4 bar”: a clause that begins with its comparison belongs to the one before.
      if (!/^§(?:below|above|at_least|at_most)\b/.test(meaningOf(clause)))
        bucket = bucketOf(clause, goal, carried?.test(clause) ?? false)
      carried = FROM_NOW.test(clause) ? /^/ : ALL_ALONG.test(clause) ? /^\s*so that\b/ : null
      if (rule !== null) bucket.push(rule)
    }
  }
  return goal
}

function bucketOf(clause: string, goal: Goal, carried: boolean): Rule[] {
  const words: readonly string[] = meaningOf(clause).match(/§(?:only|not|if|while|unless)\b/g) ?? []
  const joint = words.findLastIndex((word) => word === '§if' || word === '§while')
  const only = words.findIndex((word) => word === '§only' || word === '§not')
  if (words.includes('§unless') || (only !== -1 && only < joint)) return goal.guards
  return carried || ALL_ALONG.test(clause) ? goal.keep : goal.until
}

/** The first condition of a clause; null where there is none, or where it cannot be told what is denied. */
function readRule(clause: string): Rule | null {
  const meaning = meaningOf(clause.replaceAll(/\bat no time\b/gi, 'never let'))
  const open = { tool: null, property: null, prose: clause.trim() }
  const numeric = NUMERIC.exec(meaning)
  const remainder = REMAINDER.exec(meaning)
  const value = VALUE.exec(meaning) ?? BROUGHT.exec(meaning)
  const found = numeric ?? remainder ?? value
  if (found === null || /^ (?:or|§or)\b/.test(meaning.slice(found.index + found[0].length))) return null
  const before = meaning.slice(0, found.index)
  const denied = isDenied(before)
  if (denied === null) return null
  const [, , not] = numeric === null ? (value ?? []) : []
  // “as long as it is not OVER” ends when it is; what else may go on meanwhile is no condition.
  const lasting = /§while\b/.test(before) && !/§(?:only|not)\b/.test(before) && !ALL_ALONG.test(clause)
  if (lasting && not === undefined) return null
  if (numeric !== null) {
    const [, op, amount, unit] = numeric
    return { ...open, op: comparison(op, true, denied), value: Number(amount), unit: unit ?? null }
  }
  if (remainder !== null) {
    const [, modulus, left] = remainder
    return denied ? null : { ...open, op: 'remainder', value: Number(left), modulus: Number(modulus), unit: null }
  }
  const name = value?.at(-1) ?? ''
  const isNot = !lasting && denied !== (not !== undefined)
  if (name === 'ODD' || name === 'EVEN')
    return { ...open, op: (name === 'EVEN') === isNot ? 'odd' : 'even', value: true, unit: null }
  return { ...open, op: isNot ? 'is_not' : 'is', value: name, unit: null }
}

/**
 * Whether what stands before a condition turns it into its opposite: “never”, “unless”, “not before” …; null where it
 * is something else that is denied.
 */
function isDenied(before: string): boolean | null {
  const words = before.match(/§(?:not|unless|until|if|while)\b/g) ?? []
  const nots = words.filter((word) => word === '§not').length
  const joint = words.findLast((word) => word !== '§not')
  // What may be so, or need not be, is no condition.
  if (/\b(?:may|might|can|could|need)(?: §not)? $|§not §needs/.test(before)) return null
  if (nots === 0) return joint === '§unless'
  if (nots > 1 || words.length > 2) return null
  if (joint !== undefined)
    return /§not\b.*§(?:unless|until|if|while)\b/.test(before) ? joint === '§if' || joint === '§while' : null
  return /§not(?: (?:let|allow)(?: (?:§of|§the|[^§\s]+)){1,8})?(?: §(?:is|moves|must))* ?$/.test(before) ? true : null
}
