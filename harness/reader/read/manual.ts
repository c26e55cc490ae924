import type { Json } from '../../contract/index.js'
import { createTextCache } from '../../model/tokens.js'
import { nameIn, readChapters } from './chapters.js'
import type { Chapter, Item } from './chapters.js'
import { cut, parseEffect, parseRule, rulesWithin, scalar } from './clause.js'
import { entityIn } from './names.js'
import type { Effect, Rule } from './rule.js'
import { isObject, parseJson } from '../../kit/index.js'
import { mask, wordsOf } from './text.js'

export interface PropertyManual {
  tool: string
  name: string
  type: string
  values: string[]
  unit: string | null
  words: ReadonlySet<string>
}
/** `placeholder`: its value stands in a facts table. `typed`: the caller chooses it. `entity`: it names an instance. */
export type Argument =
  | { name: string; source: 'literal'; value: Json }
  | { name: string; source: 'placeholder'; key: string }
  | { name: string; source: 'typed'; type: string }
  | { name: string; source: 'entity' }
export interface OperationManual {
  tool: string
  action: string
  /** What it is said to do, with names masked: its subject in draws. */
  prose: string
  args: Argument[]
  requires: Rule[]
  effects: Effect[]
  completions: { signal: string; effects: Effect[] }[]
  /** The entities that its rules speak of and no argument names: those that it brings into being. */
  creates: string[]
}
export interface SignalManual {
  tool: string
  name: string
  when: Rule[]
  /** Names that its trigger mentions. */
  mentions: string[]
}
/** What a document teaches, and the rules in it that could not be read. */
export interface Manual {
  tools: string[]
  properties: PropertyManual[]
  operations: OperationManual[]
  signals: SignalManual[]
  facts: [name: string, value: string][]
  unparsed: string[]
}

const manuals = createTextCache<Manual>(512)

/** Reads a document: manuals as docs/wire.md prints them and Appendix A of the thesis writes them; of others, facts tables. */
export function readManual(text: string): Manual {
  return manuals.get(text, parse)
}

function parse(text: string): Manual {
  const manual: Manual = { tools: [], properties: [], operations: [], signals: [], facts: [], unparsed: [] }
  const chapters = readChapters(text)
  for (const chapter of chapters) {
    readTables(chapter, manual)
    if (chapter.tool !== null) manual.tools.push(chapter.tool)
  }
  for (const { tool, items } of chapters) {
    if (tool === null) continue
    for (const item of items) {
      if (item.kind === 'signal') manual.signals.push(readSignal(item, tool))
      else manual.operations.push(readOperation(item, tool, manual))
    }
  }
  return manual
}

function readTables({ tool, tables }: Chapter, manual: Manual): void {
  for (const [head, ...rows] of tables) {
    if (/^(?:observable )?propert(?:y|ies)$/i.test(bare(head?.[0] ?? '')) && tool !== null) {
      manual.properties.push(...rows.map((row) => readProperty(row, tool)))
    } else if (head?.length === 2) {
      manual.facts.push(...rows.map(([name = '', value = '']): [string, string] => [bare(name), bare(value)]))
    }
  }
}

function readProperty([name = '', type = '', range = '', ...description]: string[], tool: string): PropertyManual {
  const quoted = [...range.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value)
  const numeric = /^(?:integer|number)$/i.test(type)
  const unit = numeric ? (/([^\s`\d,-]+)\s*$/.exec(range)?.[1] ?? null) : null
  return {
    tool,
    name: bare(name),
    type: type.toLowerCase(),
    values: numeric ? [] : quoted,
    unit: unit === 'any' ? null : unit,
    words: wordsOf(description.join(' ')),
  }
}

function readSignal({ name, fields }: Item, tool: string): SignalManual {
  const trigger = fields.get('trigger') ?? ''
  const mentions = [...trigger.matchAll(/`([^`]+)`/g)].map(([, mention = '']) => mention)
  return { tool, name, when: rulesWithin(trigger, tool), mentions }
}

function readOperation({ name, fields }: Item, tool: string, manual: Manual): OperationManual {
  const behaviour = fields.get('behavior') ?? ''
  const prose = mask(`${fields.get('description') ?? ''} ${behaviour}`).trim()
  const operation: OperationManual = {
    tool,
    action: name,
    prose,
    args: readArguments(fields.get('payload') ?? ''),
    requires: readRules(fields.get('preconditions') ?? '', tool, manual),
    effects: [],
    completions: signalsOf(behaviour).map((signal) => ({ signal, effects: [] })),
    creates: [],
  }
  readEffects(fields.get('effects') ?? '', operation, manual)
  readTransition(behaviour, operation, manual)
  return withEntities(operation)
}

function withEntities(operation: OperationManual): OperationManual {
  const { requires, effects, completions, args } = operation
  const rules = [...requires, ...effects, ...completions.flatMap((end) => end.effects)]
  const entities = new Set(rules.flatMap(({ property }) => entityIn(property ?? '') ?? []))
  const named = new Set(args.map(({ name }) => name))
  return {
    ...operation,
    args: args.map((each) => (entities.has(each.name) ? { name: each.name, source: 'entity' } : each)),
    creates: [...entities].filter((entity) => !named.has(entity)),
  }
}

function readRules(text: string, tool: string, manual: Manual): Rule[] {
  if (NOTHING.test(text)) return []
  return cut(text, [...MARKS, '. ']).flatMap((clause) => {
    const whole = parseRule(clause, tool)
    if (whole !== null) return whole
    // Several in one clause: all of them are read, or none.
    const parts = cut(clause, [' and ']).map((part) => parseRule(part.replace(/,$/, ''), tool))
    if (parts.every((part) => part !== null)) return parts
    manual.unparsed.push(clause)
    return []
  })
}

const NOTHING = /^(?:none|nothing|no (?:preconditions|conditions|effects?)|n\/a|[-–—])?\.?$/i
/** `•`: an item of a list below the label. */
const MARKS = ['; ', '• ']
const ARRIVES = '(?: (?:signal )?(?:arrives|comes|has come|has arrived|is emitted|is sent|(?:is|has been) received))?'
const ENDS = new RegExp(
  `^(?:(?:On|Upon|At|After|With|When|Once|As soon as) )?(?:the )?(?:signal )?\`([^\`]+)\`(?: signal)?(?:${ARRIVES}[:,]| means that) (.*)$`,
  'i',
)

function readEffects(text: string, operation: OperationManual, manual: Manual): void {
  const names = new Set(manual.properties.map((property) => property.name))
  for (const sentence of cut(text, ['. '])) {
    const [, signal, rest] = ENDS.exec(sentence) ?? []
    const clauses = cut(rest ?? sentence, [...MARKS, ', and ', ' and '])
    const effects = clauses.flatMap((clause) => {
      const effect = parseEffect(clause, operation.tool)
      const named = [...clause.matchAll(/`([^`]+)`/g)].some(([, name = '']) => names.has(name))
      if (effect === null && (named || signal !== undefined)) manual.unparsed.push(clause)
      return effect ?? []
    })
    if (signal === undefined) operation.effects.push(...effects)
    else completionOf(operation, signal).effects.push(...effects)
  }
}

/** A latent operation whose effects end with the acknowledgement may tell its outcome in its behaviour. */
function readTransition(behaviour: string, operation: OperationManual, manual: Manual): void {
  const end = /transition from `[^`]+` to `([^`]+)`/i.exec(behaviour)?.[1]
  const [first, ...others] = operation.completions
  if (end === undefined || first === undefined || others.length > 0 || first.effects.length > 0) return
  const property = manual.properties.find(({ tool, values }) => tool === operation.tool && values.includes(end))
  if (property === undefined) return
  first.effects.push({
    tool: property.tool,
    property: property.name,
    kind: 'becomes',
    value: scalar(end),
    by: null,
    bound: null,
  })
}

function completionOf({ completions }: OperationManual, signal: string): OperationManual['completions'][number] {
  const known = completions.find((completion) => completion.signal === signal)
  if (known !== undefined) return known
  const made = { signal, effects: [] }
  completions.push(made)
  return made
}

const SIGNALS = '((?:the )?(?:signals? )?`[^`]+`(?:(?:, or |, and |, | or | and )(?:the )?`[^`]+`){0,8}(?: signals?)?)'
const TOLD = '(?:indicated|announced|signalled|signaled|marked|told|reported|shown)'
const OVER = '(?:completion|the end|its end|its completion|it (?:is|has) (?:complete|completed|done|finished|over))'
const COMPLETIONS = [
  `(?:completion|the end|its end|its completion)(?: is ${TOLD})? by ${SIGNALS}`,
  `${SIGNALS} (?:indicates?|announces?|marks?|signals?|tells?|reports?|shows?) (?:that )?${OVER}`,
  `(?:complete|completed|done|finished|over) (?:when|once|as soon as|with) ${SIGNALS}`,
  `(?:emits|sends|raises) ${SIGNALS} (?:when|once|as soon as|on|upon|at) ${OVER}`,
  `wait for ${SIGNALS} to know that ${OVER}`,
  `${SIGNALS} is (?:emitted|sent|raised) (?:when|once|as soon as|on|upon|at) ${OVER}`,
].map((pattern) => new RegExp(`(?<!not )(?<!never )(?<!no )${pattern}`, 'i'))

/** The signals that tell of the end of a latent operation. */
function signalsOf(behaviour: string): string[] {
  for (const sentence of cut(behaviour, ['. '])) {
    const told = COMPLETIONS.map((pattern) => pattern.exec(sentence)?.[1]).find((each) => each !== undefined)
    if (told !== undefined) return [...told.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  }
  return []
}

function readArguments(payload: string): Argument[] {
  const from = payload.indexOf('{')
  const given = parseJson(payload.slice(from, payload.lastIndexOf('}') + 1))
  if (from === -1 || !isObject(given)) return []
  return Object.entries(given)
    .filter(([name]) => name !== 'action' && name !== 'uuid')
    .map(([name, value]): Argument => {
      const inner = typeof value === 'string' ? /^<([^>]*)>$/.exec(value)?.[1] : undefined
      if (inner === undefined) return { name, source: 'literal', value }
      const type = /: ([^:]+)$/.exec(inner)?.[1]
      return type === undefined
        ? { name, source: 'placeholder', key: inner }
        : { name, source: 'typed', type: type.toLowerCase() }
    })
}

const bare = (cell: string): string => (nameIn(cell) ?? cell.replaceAll(/^[*_]+|[*_]+$/g, '')).replace(/^<(.*)>$/, '$1')
