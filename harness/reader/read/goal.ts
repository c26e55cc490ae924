import { createTextCache } from '../../model/tokens.js'
import type { Comparison, Rule } from './rule.js'
import { wordsOf } from './text.js'

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

const NUMERIC =
  /\b(below|under|less than|above|over|more than|greater than|exceeds?|at least|at most|reach(?:es)?)\s+(-?\d+(?:\.\d+)?)\s*([^\s\d.,;:!?()]+)?/i
const VALUE = /\b(?:is|are|be|becomes?|stays?|remains?)\s+(not\s+)?([A-Z][A-Z0-9_]+)\b/
const REMAINDER = /\bmod(?:ulo)?\s+([1-9]\d*)\s+(?:is|equals)\s+(\d+)\b/i
const OPS: Readonly<Record<string, Comparison>> = {
  below: 'below',
  under: 'below',
  'less than': 'below',
  above: 'above',
  over: 'above',
  'more than': 'above',
  'greater than': 'above',
  exceed: 'above',
  exceeds: 'above',
  'at least': 'at_least',
  reach: 'at_least',
  reaches: 'at_least',
  'at most': 'at_most',
}

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
  const plain = text.replaceAll(/["“][^"”]*["”]/g, ' ').replaceAll(/(\d)[,  ](?=\d{3}\b)/g, '$1')
  for (const sentence of plain.split(/[.;:!?](?=\s|$)/)) {
    let bucket = goal.until
    for (const clause of sentence.split(/,\s|\band\b|\bthen\b|\buntil\b/)) {
      // “keep it above 1 bar and below 4 bar”: a clause that begins with its comparison belongs to the one before.
      if (!/^\s*(?:below|under|above|over|(?:less|more|greater) than|at (?:least|most))\b/i.test(clause))
        bucket = bucketOf(clause, goal)
      const rule = readRule(clause)
      if (rule !== null) bucket.push(rule)
    }
  }
  return goal
}

function bucketOf(clause: string, goal: Goal): Rule[] {
  if (/\bonly (?:if|when|while)\b/i.test(clause)) return goal.guards
  return /\b(?:keep|maintain)\b/i.test(clause) ? goal.keep : goal.until
}

function readRule(clause: string): Rule | null {
  const open = { tool: null, property: null, prose: clause.trim() }
  const [, compared, amount, unit] = NUMERIC.exec(clause) ?? []
  if (compared !== undefined) {
    const op = OPS[compared.toLowerCase()] ?? 'is'
    return { ...open, op, value: Number(amount), unit: unit ?? null }
  }
  const [, modulus, remainder] = REMAINDER.exec(clause) ?? []
  if (modulus !== undefined)
    return { ...open, op: 'remainder', value: Number(remainder), modulus: Number(modulus), unit: null }
  const [, not, value] = VALUE.exec(clause) ?? []
  if (value === undefined) return null
  if (value === 'ODD' || value === 'EVEN') {
    const even = (value === 'EVEN') === (not === undefined)
    return { ...open, op: even ? 'even' : 'odd', value: true, unit: null }
  }
  return { ...open, op: not === undefined ? 'is' : 'is_not', value, unit: null }
}
