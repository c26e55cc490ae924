import type { Scalar } from '../../contract/index.js'
import type { Effect, Rule } from './rule.js'
import { mask } from './text.js'
import { comparison, meaningOf } from './wording.js'

const P = '`([^`]+)`(?: §of `([^`]+)`)?'
const V = '(`[^`]+`|-?\\d+(?:\\.\\d+)?|[A-Z][A-Z0-9_]+|true|false)'
const UNIT = '(?: ([^\\s(`§,;]+))?'
const COMPARED = '§(below|above|at_least|at_most|reaches|exceeds)'
/** `p` of `t` must not be below `5` bar. */
const STATED = `${P}(?: §(must|needs))?( §not)?( §is| §moves)?( §not)?(?: §is)?(?: ${COMPARED})? ${V}${UNIT}`
const RULE = new RegExp(`^${STATED}$`)
const WITHIN = new RegExp(`(?<!§(?:not|unless|until|refused) )${STATED.replace('`(', '(?<!§of )`(')}`, 'g')
/** At least `5` bar is required for `p` of `t`. */
const DEMANDED = new RegExp(`^(?:${COMPARED} )?${V}${UNIT}(?: §(?:must|needs))?(?: §is)? §required ${P}$`)
const REQUIRES = /^Requires `([^`]+)`([^(`]*)(?:\((?:via|at|from|by) `([^`]+)`\))?$/i
const LEAD = /^(?:§[a-z_]+ )+/

/** A precondition, or null where the grammar ends. `tool` is the one whose manual it stands in. */
export function parseRule(clause: string, tool: string | null): Rule | null {
  const loose = REQUIRES.exec(clause)
  if (loose !== null) {
    const [, value = '', words = '', owner] = loose
    if (!/\b(?:not|no|or|unless|for|as|in)\b|[<>=≥≤≠]/.test(words))
      return { tool: owner ?? null, property: null, op: 'is', value: scalar(value), unit: null, prose: words.trim() }
  }
  const said = withoutReason(ownersOf(clause))
  if (said === null) return null
  const meaning = plainMeaning(said.text)
  const lead = LEAD.exec(meaning)?.[0] ?? ''
  const demanded = DEMANDED.exec(meaning)
  if (demanded !== null) {
    const [, op, value = '', unit, property = '', owner] = demanded
    return ruleOf({ property, owner, op, value, unit, denied: false }, tool, said.reason)
  }
  const denied = isDenied(lead.match(/[a-z_]+/g) ?? [])
  return denied === null ? null : statedRule(RULE.exec(meaning.slice(lead.length)), denied, tool, said.reason)
}

/** All conditions that stand anywhere in a text, e.g. in a signal's trigger. */
export function rulesWithin(text: string, tool: string): Rule[] {
  return [...plainMeaning(ownersOf(text)).matchAll(WITHIN)].flatMap((found) => {
    const rule = statedRule(found, false, tool, '')
    return rule === null ? [] : { ...rule, unit: null }
  })
}

function statedRule(found: RegExpExecArray | null, denied: boolean, tool: string | null, reason: string): Rule | null {
  const [, property = '', owner, need, not, is, isNot, op, value = '', unit] = found ?? []
  if (found === null || (is ?? not ?? isNot ?? op) === undefined) return null
  const denials = [not, isNot].filter((each) => each !== undefined).length
  // Who need not be so may be so.
  if (denials > 1 || (need === 'needs' && denials > 0)) return null
  if (is === ' §moves' && op === undefined) return null
  return ruleOf({ property, owner, op, value, unit, denied: denied !== denials > 0 }, tool, reason)
}

interface Stated {
  property: string
  owner: string | undefined
  op: string | undefined
  value: string
  unit: string | undefined
  denied: boolean
}

function ruleOf({ property, owner, op, value, unit, denied }: Stated, tool: string | null, reason: string): Rule {
  const meant = scalar(value.replaceAll('`', ''))
  return {
    tool: owner ?? tool,
    property,
    op: comparison(op, typeof meant === 'number', denied),
    value: meant,
    unit: unit ?? null,
    prose: mask(reason),
  }
}

const LEADING = new Set('not only if while unless until wait allowed refused requires must is'.split(' '))

/** Whether what goes before a condition turns it into its opposite; null where it makes no sense of it. */
function isDenied(lead: readonly string[]): boolean | null {
  if (lead.some((word) => !LEADING.has(word))) return null
  const has = (word: string) => lead.includes(word)
  const main = lead.filter((word) => ['not', 'refused', 'wait'].includes(word)).length
  const joints = lead.filter((word) => ['if', 'while', 'unless', 'until'].includes(word)).length
  const positive = has('if') || has('while')
  const framed = has('allowed') || main > 0
  if (joints > 1 || main > 1 || (joints === 0 && (framed || has('only')))) return null
  if ((has('must') || has('is')) && !framed && !has('requires')) return null
  if (has('requires') && (main > 0 || has('unless') || has('until'))) return null
  if (has('until') && main === 0) return null
  if (has('only') && (!positive || main > 0)) return null
  return (main + (positive ? 0 : joints)) % 2 === 1
}

/** What is refused unless a condition holds may be told before it or after it. */
const REFUSED_AFTER = /^(.*), (?:the call|the operation|it) (?:is refused|is rejected|fails)$/

function plainMeaning(text: string): string {
  return meaningOf(text.trim().replace(/^and /, '').replace(REFUSED_AFTER, 'refused $1'))
    .replaceAll('§the ', '')
    .replaceAll(/§is(?: §is)+/g, '§is')
    .replaceAll(/^[ ,]+|[ ,]+$/g, '')
}

/** `t`'s `p` and `p` (of `t`) are `p` of `t`. */
function ownersOf(text: string): string {
  return text
    .replaceAll(/(`[^`]+`)['’]s (`[^`]+`)/g, '$2 of $1')
    .replaceAll(/(`[^`]+`) \((of (?:the )?`[^`]+`)\)(?=\s*\S)/g, '$1 $2')
    .replaceAll(/(?<=\b(?:for|as|in|by) )((?:the )?`[^`]+`) \((of (?:the )?`[^`]+`)\)/g, '$1 $2')
}

/** The reason of a rule stands in parentheses, or after a dash, at its end. An alternative is no reason. */
function withoutReason(clause: string): { text: string; reason: string } | null {
  const [, text = clause, inner, dashed] =
    /^((?:`[^`]*`|[^`(–—])*?)(?:\(((?:[^()]|\([^()]*\))*)\)|[–—]\s(.*))$/.exec(clause) ?? []
  const reason = inner ?? dashed ?? ''
  return /^(?:or|and|unless|except|but|not|if|only)\b/i.test(reason) ? null : { text, reason }
}

const GROWS = '(?:rises|increases|grows|climbs|goes up|is increased|is raised|rises up)'
const SHRINKS = '(?:falls|decreases|drops|sinks|shrinks|goes down|is decreased|is reduced|is lowered)'
const WHAT = '(?:[Tt]he )?`([^`]+)`(?: of (?:the )?`([^`]+)`)?'
const END = '(?: `([^`]+)`| (true|false|-?\\d+(?:\\.\\d+)?))'
const REST = '(?: [^\\s`(,;]{1,4})?(?: (?:at once|immediately|by itself))?(?: \\(.*\\))?$'
const BECOMES = [
  `^${WHAT} (?:becomes|turns(?: to| into)?|is (?:then|now)|ends up|→|will (?:then )?be|will become)${END}${REST}`,
  `^${WHAT} (?:(?:is|will be) (?:set|changed|switched|moved)|changes|goes|switches|moves|transitions|will change) to${END}${REST}`,
  `^${WHAT} is${END} (?:afterwards|then|from then on)$`,
  `^(?:Sets|Changes|Puts|Switches|Moves|Turns|Brings|Transitions) ${WHAT}(?: from \`[^\`]+\`)? (?:to|into)${END}${REST}`,
  `^Makes ${WHAT}${END}${REST}`,
].map((pattern) => new RegExp(pattern, 'i'))
const STEP = '(?: by `(-?[\\d.]+)`(?: [^\\s`]+)?)?'
const MOVES = new RegExp(
  `^${WHAT} (?:(${GROWS})|${SHRINKS})${STEP}(?: (?:to )?(above|over|beyond|more than|below|under|less than) \`(-?[\\d.]+)\`(?: [^\\s\`]+)?)?$`,
)
const SHIFTS = new RegExp(`^(?:(Raises|Increases)|Lowers|Reduces|Decreases) ${WHAT}${STEP}$`, 'i')

export function parseEffect(clause: string, tool: string): Effect | null {
  const becomes = BECOMES.map((pattern) => pattern.exec(clause)).find((each) => each !== null)
  const [all, property = '', owner, quoted, plain] = becomes ?? []
  if (all !== undefined) {
    const value = scalar(quoted ?? plain ?? '')
    return { tool: owner ?? tool, property, kind: 'becomes', value, by: null, bound: null }
  }
  const moved = MOVES.exec(clause)
  if (moved !== null) {
    const [, name = '', of, up, by, way, bound] = moved
    const kind = up === undefined ? 'falls' : 'rises'
    // What rises does not end below something.
    const fits = way === undefined || (kind === 'rises') === /^(?:above|over|beyond|more than)$/.test(way)
    return fits ? { tool: of ?? tool, property: name, kind, value: null, by: number(by), bound: number(bound) } : null
  }
  const shifted = SHIFTS.exec(clause)
  if (shifted === null) return null
  const [, up, name = '', of, by] = shifted
  const kind = up === undefined ? 'falls' : 'rises'
  return { tool: of ?? tool, property: name, kind, value: null, by: number(by), bound: null }
}

const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

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
