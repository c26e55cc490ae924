import type { Scalar } from '../../contract/index.js'
import type { Dated, Facts } from '../read/facts.js'
import type { OperationManual } from '../read/manual.js'
import { fillOperation, fillRule } from '../read/fill.js'
import { boundSatisfies, isBound, keyOf, parseRule, satisfies, serves } from '../read/rule.js'
import type { BoundRule, Effect, Rule } from '../read/rule.js'
import { allEffects, drifts, laterEffects, leadsFrom, oncePer, shows, tellsOf } from './library.js'
import type { Library, Process } from './library.js'

/** What is thought of one property. */
interface Belief {
  value: Scalar | null
  bound: { above: number } | { below: number } | null
  /** What a refusal has shown not to hold. */
  denied: Rule[]
}

export type Status = 'holds' | 'fails' | 'unknown'

function after(effect: Effect, before: Belief | undefined): Belief {
  const { kind, by, value } = effect
  if (kind === 'becomes') return { value, bound: null, denied: [] }
  if (by !== null && before?.value !== null && before?.value !== undefined) {
    const sum = Number(before.value) + (kind === 'rises' ? by : -by)
    return { value: sum, bound: null, denied: [] }
  }
  return { value: null, bound: null, denied: [] }
}

const endOf = ({ kind }: Effect, bound: number) => (kind === 'rises' ? { above: bound } : { below: bound })

function told({ op, value }: Rule): Belief {
  const none: Belief = { value: null, bound: null, denied: [] }
  if (op === 'is') return { ...none, value }
  if (op === 'above' || op === 'at_least') return { ...none, bound: { above: Number(value) } }
  return op === 'below' || op === 'at_most' ? { ...none, bound: { below: Number(value) } } : none
}

function statusOf(rule: BoundRule, belief: Belief | undefined, library: Library): Status {
  if (belief === undefined) return 'unknown'
  if (belief.value !== null) return satisfies(belief.value, rule) ? 'holds' : 'fails'
  if (belief.bound !== null) {
    const meets = boundSatisfies(belief.bound, rule)
    return meets === null ? 'unknown' : meets ? 'holds' : 'fails'
  }
  const open = (library.property(rule)?.values ?? []).filter(
    (value) => !belief.denied.some((not) => satisfies(value, not)),
  )
  if (belief.denied.length > 0 && open.length === 1 && open[0] !== undefined)
    return satisfies(open[0], rule) ? 'holds' : 'fails'
  return belief.denied.some(({ op, value }) => op === rule.op && value === rule.value) ? 'fails' : 'unknown'
}

/** What the reader thinks to be so: the last observation or acknowledged effect, whichever is newer. */
export interface Beliefs {
  processes: readonly Process[]
  value(of: { tool: string; property: string }): Scalar | null
  status(rule: Rule): Status
  /** Was the last known value refuted, and not seen since? */
  refuted(rule: BoundRule): boolean
  /** The latest process, still pending, that is to bring the rule about; also one that it sees under way. */
  pendingFor(rule: BoundRule): Process | null
  /** The latest process that has ended and was to bring the rule about. */
  endedFor(rule: BoundRule): Process | null
  /** The same, as it is asked for the entities that a goal is about. */
  asReadIn(library: Library): Beliefs
}

/** `patterns`: what the documents teach as it stands there. */
export function believe({ events }: Facts, patterns: Library): Beliefs {
  const beliefs = new Map<string, Belief>()
  const processes: Process[] = []
  const accepted = new Map<string, number>()

  const set = (effect: Effect) => beliefs.set(keyOf(effect), after(effect, beliefs.get(keyOf(effect))))
  const settle = (rule: Rule) => {
    if (isBound(rule)) beliefs.set(keyOf(rule), told(rule))
  }

  /** The operation as it reads for this call. */
  function operationOf({ tool, action, about }: Extract<Dated, { kind: 'operated' }>): OperationManual | null {
    const pattern = patterns.operation(tool, action)
    return pattern === null ? null : fillOperation(pattern, about)
  }

  function start(event: Extract<Dated, { kind: 'operated' }>): void {
    const operation = operationOf(event)
    if (operation === null) return
    // What was accepted met its preconditions, seen or not.
    for (const stated of operation.requires) met(patterns.bind(stated), event.at)
    for (const effect of operation.effects) {
      set(effect)
      // Whoever moves a property again ends a drift of before.
      for (const process of processes)
        if (process.endedAt === null && drifts(process, effect)) process.endedAt = event.at
    }
    const earlier = accepted.get(callOf(operation)) ?? 0
    accepted.set(callOf(operation), earlier + 1)
    if (laterEffects(operation).length === 0 && operation.completions.length === 0) return
    const { operationId, at } = event
    const before = new Map(
      laterEffects(operation).flatMap((effect) => {
        const value = beliefs.get(keyOf(effect))?.value ?? null
        return effect.by === null || value === null ? [] : [[keyOf(effect), value] as const]
      }),
    )
    const process: Process = {
      operation,
      operationId,
      earlier,
      startedAt: at,
      endedAt: null,
      before,
      tells: tellsOf(operation),
    }
    processes.push(process)
    const [only, ...others] = operation.completions
    if (event.completed && only !== undefined && others.length === 0) finish(process, only.effects, at)
  }

  function finish(process: Process, effects: Effect[], at: number): void {
    process.endedAt = at
    for (const effect of effects) {
      if (effect.bound === null) set(effect)
      else beliefs.set(keyOf(effect), { value: null, bound: endOf(effect, effect.bound), denied: [] })
    }
  }

  function deny(event: Extract<Dated, { kind: 'operated' }>): void {
    const rule = event.rule === null ? null : parseRule(event.rule, event.tool)
    const bound = rule === null ? null : patterns.bind(rule)
    if (bound === null) return refute(event)
    if (!isBound(bound)) return
    const known = beliefs.get(keyOf(bound)) ?? { value: null, bound: null, denied: [] }
    const value = known.value !== null && satisfies(known.value, bound) ? null : known.value
    beliefs.set(keyOf(bound), { value, bound: null, denied: [...known.denied, bound] })
  }

  /** A rule that speaks of an argument: the value that it was filled with does not hold. */
  function refute(event: Extract<Dated, { kind: 'operated' }>): void {
    const { rule } = event
    const operation = operationOf(event)
    const [changed] = operation === null ? [] : allEffects(operation)
    const value = changed === undefined ? null : (beliefs.get(keyOf(changed))?.value ?? null)
    if (changed === undefined || value === null) return
    const chosen = operation?.args.some(({ name, source }) => source === 'typed' && rule?.includes(`\`${name}\``))
    if (chosen !== true) return
    const not: Rule = { ...changed, op: 'is', value, unit: null, prose: '' }
    beliefs.set(keyOf(changed), { value: null, bound: null, denied: [not] })
  }

  function hear(event: Extract<Dated, { kind: 'signal' }>): void {
    const owned = processes.findLast(
      ({ operation, operationId, endedAt }) =>
        operation.completions.some(({ signal }) => signal === event.signal) &&
        (event.operationId === null || operationId === null ? endedAt === null : operationId === event.operationId),
    )
    const completion = owned?.operation.completions.find(({ signal }) => signal === event.signal)
    if (owned !== undefined && completion !== undefined) finish(owned, completion.effects, event.at)
    else for (const rule of patterns.signal(event.signal)?.when ?? []) settle(fillRule(rule, event.about))
  }

  function met(rule: Rule, at: number): void {
    if (!isBound(rule) || statusOf(rule, beliefs.get(keyOf(rule)), patterns) === 'holds') return
    const { tool, property, op, value } = rule
    if (op === 'is') see({ kind: 'seen', at, tool, property, value, changedAt: null })
    else settle(rule)
  }

  function see(event: Extract<Dated, { kind: 'seen' }>): void {
    const key = keyOf(event)
    beliefs.set(key, { value: event.value, bound: null, denied: [] })
    for (const process of processes) {
      if (process.endedAt === null && process.tells.has(key) && shows(process, event)) process.endedAt = event.at
    }
  }

  for (const event of events) {
    if (event.kind === 'operated') {
      if (event.accepted) start(event)
      else deny(event)
    } else if (event.kind === 'signal') hear(event)
    else if (event.kind === 'seen') see(event)
  }

  /** Whoever began it: what is so is what an operation does until its completion. */
  function underWay(rule: BoundRule, library: Library): Process | null {
    const now = beliefs.get(keyOf(rule))?.value ?? null
    const operation = now === null ? undefined : library.operations.find((each) => leadsFrom(each, rule, now))
    if (operation === undefined) return null
    const earlier = Math.max(0, (accepted.get(callOf(operation)) ?? 0) - 1)
    return { operation, operationId: null, earlier, startedAt: 0, endedAt: null, before: new Map(), tells: new Set() }
  }

  const serving = (process: Process, rule: BoundRule) =>
    laterEffects(process.operation).some((effect) => serves(effect, rule) !== null)
  const asReadIn = (library: Library): Beliefs => ({
    processes,
    value: (of) => beliefs.get(keyOf(of))?.value ?? null,
    refuted(rule) {
      const { value = null, denied = [] } = beliefs.get(keyOf(rule)) ?? {}
      return value === null && denied.length > 0
    },
    status: oncePer((rule: Rule) => (isBound(rule) ? statusOf(rule, beliefs.get(keyOf(rule)), patterns) : 'unknown')),
    pendingFor: oncePer(
      (rule: BoundRule) =>
        processes.findLast((each) => each.endedAt === null && serving(each, rule)) ?? underWay(rule, library),
    ),
    endedFor: oncePer(
      (rule: BoundRule) =>
        processes.findLast(
          (each) => each.endedAt !== null && each.operation.completions.length > 0 && serving(each, rule),
        ) ?? null,
    ),
    asReadIn,
  })
  return asReadIn(patterns)
}

const callOf = ({ tool, action }: OperationManual): string => keyOf({ tool, property: action })
