import type { Scalar } from '../../define/index.js'
import type { Comparison, Effect, Rule } from './rule.js'
import { mask } from './words.js'

const RULE =
  /^`([^`]+)`(?: of `([^`]+)`)? (?:is|must be)(?: (below|above|at least|at most|not))? `([^`]+)`(?: ([^\s(`]+))?(?: \((.*)\))?$/
const REQUIRES = /^Requires `([^`]+)`([^(`]*)(?:\((?:via|at|from|by) `([^`]+)`\))?$/i
const EFFECT = /^`([^`]+)`(?: of `([^`]+)`)? (becomes|rises|falls)((?: .*)?)$/
const TRANSITION = /^Transitions `([^`]+)`(?: of `([^`]+)`)? to `([^`]+)`/i
const COMPARED: Readonly<Record<string, Comparison>> = {
  below: 'below',
  above: 'above',
  'at least': 'at_least',
  'at most': 'at_most',
  not: 'is_not',
}

/** A precondition, or null where the grammar ends. `tool` is the one whose manual it stands in. */
export function parseRule(clause: string, tool: string | null): Rule | null {
  const plain = RULE.exec(clause)
  if (plain !== null) {
    const [, property = '', owner, op, value = '', unit, reason] = plain
    return {
      tool: owner ?? tool,
      property,
      op: op === undefined ? 'is' : (COMPARED[op] ?? 'is'),
      value: scalar(value),
      unit: unit ?? null,
      prose: mask(reason ?? ''),
    }
  }
  const loose = REQUIRES.exec(clause)
  if (loose === null) return null
  const [, value = '', words = '', owner] = loose
  return { tool: owner ?? null, property: null, op: 'is', value: scalar(value), unit: null, prose: words.trim() }
}

export function parseEffect(clause: string, tool: string): Effect | null {
  const transition = TRANSITION.exec(clause)
  if (transition !== null) {
    const [, property = '', owner, value = ''] = transition
    return { tool: owner ?? tool, property, kind: 'becomes', value: scalar(value), by: null, bound: null }
  }
  const [, property = '', owner, verb, rest = ''] = EFFECT.exec(clause) ?? []
  const target = { tool: owner ?? tool, property }
  if (verb === 'becomes') {
    const value = /^ `([^`]+)`/.exec(rest)?.[1]
    return value === undefined ? null : { ...target, kind: verb, value: scalar(value), by: null, bound: null }
  }
  if (verb !== 'rises' && verb !== 'falls') return null
  const bound = numberAfter(verb === 'rises' ? 'above' : 'below', rest)
  return { ...target, kind: verb, value: null, by: numberAfter('by', rest), bound }
}

function numberAfter(word: string, text: string): number | null {
  const found = new RegExp(`\\b${word} \`(-?[\\d.]+)\``).exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

/** All conditions that stand anywhere in a text, e.g. in a signal's trigger. */
export function rulesWithin(text: string, tool: string): Rule[] {
  return [...text.matchAll(/`[^`]+`(?: of `[^`]+`)? is(?: (?:below|above|at least|at most|not))? `[^`]+`/g)].flatMap(
    ([clause]) => parseRule(clause, tool) ?? [],
  )
}

/** Cuts at a mark that stands outside of backticks and parentheses, and drops the full stops of sentences. */
export function cut(text: string, marks: readonly string[]): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (char === '`') quoted = !quoted
    if (quoted) continue
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth > 0) continue
    const mark = marks.find((each) => text.startsWith(each, index))
    if (mark === undefined) continue
    parts.push(text.slice(start, index))
    start = index + mark.length
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim().replace(/\.$/, '')).filter((part) => part !== '')
}

export function scalar(text: string): Scalar {
  if (text === 'true') return true
  if (text === 'false') return false
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}
