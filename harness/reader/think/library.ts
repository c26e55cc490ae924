import type { Scalar } from '../../contract/index.js'
import type { Dated, Facts, KnownDocument } from '../read/facts.js'
import type { Goal } from '../read/goal.js'
import type { OperationManual, PropertyManual, SignalManual } from '../read/manual.js'
import { fillManual } from '../read/fill.js'
import { kindOf } from '../read/names.js'
import type { Names } from '../read/names.js'
import { isBound, keyOf, serves } from '../read/rule.js'
import type { BoundRule, Effect, Rule } from '../read/rule.js'
import { overlap, union, wordsOf } from '../read/text.js'

/** Worked out once for each thing: it is asked for in every way in which a prompt may be answered. */
export function oncePer<K extends object, V>(
  make: (of: K) => V,
  made: { get(of: K): V | undefined; set(of: K, value: V): unknown } = new Map<K, V>(),
): (of: K) => V {
  return (of) => {
    const known = made.get(of)
    if (known !== undefined) return known
    const value = make(of)
    made.set(of, value)
    return value
  }
}

/** All that the documents in a prompt teach. */
export interface Library {
  operations: OperationManual[]
  properties: PropertyManual[]
  unparsed: string[]
  operation(tool: string, action: string): OperationManual | null
  signal(name: string): SignalManual | null
  /** The operations that serve a rule, best first: those that ensure it, then those that help; else in reading order. */
  means(rule: BoundRule): OperationManual[]
  /** The signals of which a trigger speaks of the property. */
  signalsAbout(rule: BoundRule): string[]
  /** Does a signal tell that the rule has come true? */
  announces(rule: BoundRule): boolean
  property(of: { tool: string; property: string }): PropertyManual | null
  /** A fact of a table, by its name. */
  fact(name: string): string | null
  /** The precondition, with the property that it leaves open. */
  bind(rule: Rule): Rule
  /** A rule of the goal, with the property that it means; null where that stays open. */
  bindGoal(rule: Rule, goal: Goal): BoundRule | null
  covering(tool: string): KnownDocument[]
}

/** With `names`, as it reads for the entities that they stand for. */
export function openLibrary({ documents }: Facts, names: Names = {}): Library {
  const read = documents.flatMap(({ manual }) => manual ?? [])
  const manuals = Object.keys(names).length === 0 ? read : read.map((manual) => fillManual(manual, names))
  const operations = manuals.flatMap((manual) => manual.operations)
  const signals = manuals.flatMap((manual) => manual.signals)
  const properties = manuals.flatMap((manual) => manual.properties)
  const byKey = new Map(properties.map((each) => [keyOf({ tool: each.tool, property: kindOf(each.name) }), each]))
  const boundIn = oncePer((goal: Goal) =>
    oncePer((rule: Rule): BoundRule | null => {
      const found = choose(candidates(rule, properties), [wordsOf(rule.prose), goal.words], properties)
      return found === null ? null : { ...rule, tool: found.tool, property: found.name }
    }),
  )
  const facts = new Map(manuals.flatMap((manual) => manual.facts).toReversed())

  return {
    operations,
    properties,
    unparsed: documents.flatMap(({ id, manual }) => manual?.unparsed.map((rule) => `${id}: ${rule}`) ?? []),
    operation: (tool, action) => operations.find((each) => each.tool === tool && each.action === action) ?? null,
    signal: (name) => signals.find((each) => each.name === name) ?? null,
    means: oncePer((rule: BoundRule) => means(operations, rule)),
    signalsAbout: oncePer(({ tool, property }: BoundRule) =>
      signals.filter((each) => speaksOf(each, tool, property)).map(({ name }) => name),
    ),
    announces: oncePer((rule: BoundRule) => signals.some(({ when }) => when.some((each) => says(each, rule)))),
    property: ({ tool, property }) => byKey.get(keyOf({ tool, property: kindOf(property) })) ?? null,
    fact: (name) => facts.get(name) ?? null,
    covering: (tool) => documents.filter(({ covers }) => covers.includes(tool)),
    bind: oncePer((rule: Rule) => {
      if (isBound(rule)) return rule
      const holders = properties.filter(
        ({ tool, values }) => (rule.tool === null || tool === rule.tool) && values.includes(String(rule.value)),
      )
      const [only, ...others] = holders
      return only === undefined || others.length > 0 ? rule : { ...rule, tool: only.tool, property: only.name }
    }),
    bindGoal: (rule, goal) => boundIn(goal)(rule),
  }
}

function says(rule: Rule, other: BoundRule): boolean {
  return isBound(rule) && keyOf(rule) === keyOf(other) && rule.op === other.op && rule.value === other.value
}

function speaksOf({ tool: owner, when, mentions }: SignalManual, tool: string, property: string): boolean {
  if (when.length > 0) return when.some((rule) => rule.tool === tool && rule.property === property)
  return owner === tool ? mentions.includes(property) : mentions.includes(property) && mentions.includes(tool)
}

interface Candidate {
  property: PropertyManual
  /** Fits by its kind alone, and needs a word in common as well. */
  weak: boolean
}

/** A value belongs to the property that can take it; a number to one of its unit, else to one without any. */
function candidates(rule: Rule, properties: PropertyManual[]): Candidate[] {
  if (rule.op === 'is' || rule.op === 'is_not') {
    const holders = properties.filter(({ values }) => values.includes(String(rule.value)))
    return holders.map((property) => ({ property, weak: false }))
  }
  const numeric = properties.filter(({ type }) => type === 'integer' || type === 'number')
  const sameUnit = numeric.filter(({ unit }) => unit !== null && unit === rule.unit)
  if (sameUnit.length > 0) return sameUnit.map((property) => ({ property, weak: false }))
  if (rule.unit !== null)
    return numeric.filter(({ unit }) => unit === null).map((property) => ({ property, weak: true }))
  const bare = numeric.filter(({ unit }) => unit === null)
  return bare.length > 0
    ? bare.map((property) => ({ property, weak: bare.length > 1 }))
    : numeric.map((property) => ({ property, weak: true }))
}

/** The most words in common with the clause, then with the goal; a tie stays open. */
function choose(
  found: Candidate[],
  contexts: ReadonlySet<string>[],
  properties: PropertyManual[],
): PropertyManual | null {
  const scored = found.map(({ property, weak }) => {
    const scores = contexts.map((words) => overlap(property.words, words))
    return { property, weak, scores }
  })
  const ranked = scored.toSorted((a, b) => compare(b.scores, a.scores))
  const [best, next] = ranked
  if (best === undefined || (best.weak && best.scores.every((score) => score === 0))) return null
  if (next === undefined || compare(best.scores, next.scores) !== 0) return best.property
  // Documents that describe one property twice do not make it two.
  const same = properties.filter(({ tool, name }) => tool === best.property.tool && name === best.property.name)
  return same.length > 1 && same.includes(next.property) ? best.property : null
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((score, index) => score !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** The words by which a document is found. */
export function summaryWords(document: KnownDocument): ReadonlySet<string> {
  return wordsOf(document.summary)
}

/** What an operation brings about, sooner or later. */
export const allEffects = oncePer(
  ({ effects, completions }: OperationManual): Effect[] => [
    ...effects,
    ...completions.flatMap((completion) => completion.effects),
  ],
  new WeakMap(),
)

/** What it brings about after its acknowledgement: completions, and rises and falls of no stated size. */
export const laterEffects = oncePer(({ effects, completions }: OperationManual): Effect[] => {
  const drifting = effects.filter(({ kind, by }) => kind !== 'becomes' && by === null)
  return [...drifting, ...completions.flatMap((completion) => completion.effects)]
}, new WeakMap())

function means(operations: readonly OperationManual[], rule: BoundRule): OperationManual[] {
  const served = operations.flatMap((operation) => {
    const ways = allEffects(operation).map((effect) => serves(effect, rule))
    if (ways.includes('ensures')) return [{ operation, rank: 0 }]
    return ways.includes('helps') ? [{ operation, rank: 1 }] : []
  })
  return served.toSorted((a, b) => a.rank - b.rank).map(({ operation }) => operation)
}

/** The words of an open need: the rule's own, and those of what asks for it. */
export function needWords(...proses: readonly string[]): ReadonlySet<string> {
  return union(...proses.map(wordsOf))
}

/** A latent process that the reader started itself. */
export interface Process {
  operation: OperationManual
  operationId: string | null
  /** Earlier accepted calls of the operation. */
  earlier: number
  startedAt: number
  /** When it was seen, or signalled, to have ended; null while it is pending. */
  endedAt: number | null
  /** Where what it changes by a stated number stood before, by key. */
  before: ReadonlyMap<string, Scalar>
  /** What its completions change, by key: only there can its end be seen. */
  tells: ReadonlySet<string>
}

export const tellsOf = ({ completions }: OperationManual): ReadonlySet<string> =>
  new Set(completions.flatMap(({ effects }) => effects.map(keyOf)))

/** Does a value show that the operation is under way, and will it bring the rule about? */
export function leadsFrom({ effects, completions }: OperationManual, rule: BoundRule, now: Scalar): boolean {
  const meanwhile = effects.some((each) => keyOf(each) === keyOf(rule) && each.kind === 'becomes' && each.value === now)
  return meanwhile && completions.some((end) => end.effects.some((effect) => serves(effect, rule) !== null))
}

/** Is it a rise or fall of no stated end, of the same property? */
export function drifts({ operation }: Process, effect: Effect): boolean {
  return operation.completions.length === 0 && laterEffects(operation).some((each) => keyOf(each) === keyOf(effect))
}

/** Does what is seen show that a process has ended: by one of its ends, or by a state that is none of its own? */
export function shows({ operation, startedAt, before }: Process, event: Extract<Dated, { kind: 'seen' }>): boolean {
  if (event.at < startedAt) return false
  const moved = Number(event.value) - Number(before.get(keyOf(event)))
  const ends = operation.completions.flatMap(({ effects }) => effects.filter((each) => keyOf(each) === keyOf(event)))
  if (ends.some(({ kind, by }) => by !== null && (kind === 'rises' ? moved >= by : -moved >= by))) return true
  const becoming = ends.filter(({ kind }) => kind === 'becomes')
  if (becoming.some(({ value }) => value !== null && String(value) === String(event.value))) return true
  const meanwhile = operation.effects.filter((each) => keyOf(each) === keyOf(event) && each.kind === 'becomes')
  return (
    becoming.length > 0 && meanwhile.length > 0 && !meanwhile.some(({ value }) => String(value) === String(event.value))
  )
}
