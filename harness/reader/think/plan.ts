import type { OperationManual } from '../read/manual.js'
import { isBound, keyOf, satisfies } from '../read/rule.js'
import type { BoundRule, Rule } from '../read/rule.js'
import { union } from '../read/text.js'
import type { Wait } from '../traits.js'
import type { Status } from './beliefs.js'
import { fillArguments } from './entities.js'
import type { Intent } from './intent.js'
import { allEffects, needWords } from './library.js'
import { impasse, knowsAll, learn, look, looksSince, waitFor } from './step.js'
import type { Context, Step } from './step.js'

/** Why a rule is wanted: the operation that needs it (null: the goal itself), and the operations above that one. */
interface Purpose {
  consumer: OperationManual | null
  above: readonly OperationManual[]
  /** Of the goal's conditions: nothing comes after it. */
  last: boolean
}
const GOAL: Purpose = { consumer: null, above: [], last: false }

/** The next step from ends to means: what the goal demands, what that demands, down to something that can be done now. */
export function nextStep(context: Context): Intent {
  const { facts, verbs, library, beliefs } = context
  const { goal, catalogue } = facts
  const last = facts.events.at(-1)
  if (last?.kind === 'ended') return { do: 'claim', achieved: last.achieved }
  if (!catalogue.known && verbs.has('discover')) return { do: 'discover' }
  for (const kept of goal.keep) {
    const rule = library.bindGoal(kept, goal)
    const step = rule === null ? null : maintain(context, rule)
    if (step !== null) return step
  }
  let understood = 0
  let presumed = false
  for (const [index, stated] of goal.until.entries()) {
    const rule = library.bindGoal(stated, goal)
    const purpose = { ...GOAL, last: index === goal.until.length - 1 }
    const step = rule === null ? learnAbout(context, stated, purpose, true) : achieve(context, rule, purpose)
    if (step !== null) return step
    if (rule !== null) understood += 1
    if (rule === null || beliefs.status(rule) !== 'holds') presumed = true
  }
  if (understood === 0)
    return learn(context, { tool: null, words: () => goal.words, anything: true }) ?? giveUp(context)
  // A document that this prompt does not show may know better.
  return presumed && !knowsAll(context) ? { do: 'decline' } : { do: 'claim', achieved: true }
}

/**
 * What is to hold all along is looked at again where an own call by a stated step has left it open:
 * another alarm may have come meanwhile.
 */
function maintain(context: Context, rule: BoundRule): Step {
  const { beliefs, facts, library } = context
  const status = beliefs.status(rule)
  if (status === 'fails') return achieve(context, rule, GOAL)
  const moves = (operation: OperationManual | null) =>
    operation?.effects.some((effect) => effect.by !== null && keyOf(effect) === keyOf(rule)) === true
  const moved = facts.events.some(
    (event) => event.kind === 'operated' && event.accepted && moves(library.operation(event.tool, event.action)),
  )
  return status === 'unknown' && moved ? look(context, rule) : null
}

/** The next step towards a rule; null: it holds, or is taken to hold. */
function achieve(context: Context, rule: BoundRule, purpose: Purpose): Step {
  const { beliefs, library } = context
  const { consumer } = purpose
  const status = beliefs.status(rule)
  if (status === 'holds') return linger(context, rule, consumer)
  const pending = beliefs.pendingFor(rule)
  if (pending !== null) {
    const rest = waitFor(context, rule, pending) ?? impasse(context)
    return hold(context, { rule, consumer, process: pending }, purpose.last, rest)
  }
  if (status === 'unknown' && beliefs.endedFor(rule) !== null) return look(context, rule)
  const known = library.means(rule)
  const usable = known.filter((operation) => !purpose.above.includes(operation))
  const operation = usable.find((each) => !exhausted(context, each)) ?? usable[0]
  if (operation !== undefined) return pursue(context, operation, purpose)
  return known.length > 0 ? look(context, rule) : withoutMeans(context, rule, purpose, status)
}

/**
 * Where a careful reader lets time pass. Who is dishonest claims a goal that is pending, and who is impatient goes on as if
 * the rule held; after a goal's last condition that would be the same.
 */
function hold({ mind }: Context, wait: Wait, last: boolean, rest: Step): Step {
  if (wait.consumer === null && !mind.admitsPending(wait)) return { do: 'claim', achieved: true }
  return !last && !mind.waits(wait) ? null : rest
}

/** Nothing that was read brings the rule about: to read on, to look, to wait for others, to presume, or to give up. */
function withoutMeans(context: Context, rule: BoundRule, purpose: Purpose, status: Status): Step {
  const isGoal = purpose.consumer === null
  if (status === 'unknown') {
    // What comes and goes by itself, and is told of, is worth a look before it is presumed.
    const worth = isGoal || context.library.announces(rule)
    const step = learnAbout(context, rule, purpose, false) ?? (worth ? look(context, rule) : null)
    return step ?? (isGoal ? learnAbout(context, rule, purpose, true) : null)
  }
  const wait = !isGoal && context.library.announces(rule) ? waitFor(context, rule, null) : null
  if (wait !== null) return hold(context, { rule, consumer: purpose.consumer, process: null }, purpose.last, wait)
  return learnAbout(context, rule, purpose, true) ?? awaitOthers(context, rule, purpose)
}

/** Only what somebody announces, or a goal that the world may reach by itself, is worth waiting for. */
function awaitOthers(context: Context, rule: BoundRule, { consumer, last }: Purpose): Step {
  const isGoal = consumer === null
  const announced = context.library.signalsAbout(rule).length > 0
  const since = context.facts.events.findLast(({ kind }) => kind === 'operated')?.at ?? -1
  if (!announced && (!isGoal || looksSince(context, since) >= context.mind.profile.stallCalls)) return giveUp(context)
  // Without a verb to wait with, the call itself is the only way to find out.
  const wait = waitFor(context, rule, null)
  if (wait !== null) return hold(context, { rule, consumer, process: null }, last, wait)
  return isGoal ? giveUp(context) : null
}

/** The next step towards an operation whose effects are wanted: its preconditions, guards, arguments, then the call. */
function pursue(context: Context, operation: OperationManual, purpose: Purpose): Step {
  const { library, mind, facts, verbs } = context
  const below: Purpose = { consumer: operation, above: [...purpose.above, operation], last: false }
  for (const stated of operation.requires) {
    const rule = library.bind(stated)
    // What holds anyway may be overlooked.
    if (isBound(rule) && context.beliefs.status(rule) === 'holds' && readySince(context, rule) === null) continue
    if (!mind.notices(stated, operation) && !wasRefusedFor(context, operation, stated)) continue
    const step = isBound(rule) ? achieve(context, rule, below) : learnAbout(context, rule, below, false)
    if (step !== null) return step
  }
  const guarded = heed(context, operation)
  if (guarded !== null) return guarded
  const origin = originOf(context, operation, purpose)
  if (origin !== null) return pursue(context, origin, below)
  const { args, missing } = fillArguments(context, operation)
  if (missing > 0) {
    const prose = operation.requires.map((stated) => stated.prose)
    const words = () => union(needWords(operation.prose, ...prose), facts.goal.words)
    const step = learn(context, { tool: null, words, anything: true })
    if (step !== null) return step
  }
  const { tool, action } = operation
  if (verbs.has('focus') && !facts.focused.has(tool)) return { do: 'focus', tools: [tool] }
  return exhausted(context, operation)
    ? { do: 'claim', achieved: false }
    : { do: 'operate', tool, action, args, wait: null }
}

/** The operation that brings into being what the call must name, where that is not known yet. */
function originOf({ library }: Context, { args }: OperationManual, { above }: Purpose): OperationManual | null {
  const unknown = args.find(({ source }) => source === 'entity')?.name
  const creators = unknown === undefined ? [] : library.operations.filter(({ creates }) => creates.includes(unknown))
  return creators.find((each) => !above.includes(each)) ?? null
}

/** The goal's “only if”, for operations that change what it speaks of. */
function heed(context: Context, operation: OperationManual): Step {
  const { facts, library, beliefs } = context
  for (const stated of facts.goal.guards) {
    const rule = library.bindGoal(stated, facts.goal)
    if (rule === null || !allEffects(operation).some((effect) => keyOf(effect) === keyOf(rule))) continue
    const status = beliefs.status(rule)
    const seen = status === 'unknown' ? look(context, rule) : null
    const waits = status === 'fails' || (seen === null && beliefs.refuted(rule))
    const wait = { rule, consumer: operation, process: null }
    const ready = status === 'holds' ? linger(context, rule, operation) : seen
    const step = waits ? hold(context, wait, false, waitFor(context, rule, null) ?? impasse(context)) : ready
    if (step !== null) return step
  }
  return null
}

/** Who is fixated goes on looking at what is ready, for a stated number of looks. */
function linger(context: Context, rule: BoundRule, consumer: OperationManual | null): Step {
  const { beliefs, mind } = context
  const readyAt = readySince(context, rule)
  if (readyAt === null) return null
  const process = beliefs.endedFor(rule)
  const looks = looksSince(context, readyAt)
  if (looks >= mind.profile.looks || !mind.staysOn({ rule, consumer, process }, looks > 0)) return null
  const step = waitFor(context, rule, process)
  return step?.do === 'sleep' ? { do: 'observe', tools: [rule.tool] } : step
}

/** When a rule came to hold that was waited for and that nothing was done about since; null where none of this is so. */
function readySince(context: Context, rule: BoundRule): number | null {
  const process = context.beliefs.endedFor(rule)
  const readyAt = process === null ? seenToChange(context, rule) : process.endedAt
  if (readyAt === null) return null
  const actedOn = context.facts.events.some((event) => event.kind === 'operated' && event.at > readyAt)
  return actedOn ? null : readyAt
}

/** When a rule that was seen to fail was first seen to hold, by no doing of its own; null where it was not. */
function seenToChange({ facts: { events } }: Context, rule: BoundRule): number | null {
  const acted = events.findLastIndex((event) => event.kind === 'operated')
  const seen = events
    .slice(acted + 1)
    .flatMap((event) => (event.kind === 'seen' && keyOf(event) === keyOf(rule) ? event : []))
  const failed = seen.findLastIndex(({ value }) => !satisfies(value, rule))
  return failed === -1 ? null : (seen[failed + 1]?.at ?? null)
}

function learnAbout(context: Context, rule: Rule, { consumer }: Purpose, anything: boolean): Step {
  const { library, facts } = context
  const words = (): ReadonlySet<string> => {
    const property = isBound(rule) ? library.property(rule) : null
    const goal = consumer === null ? facts.goal.words : new Set<string>()
    return union(needWords(rule.prose, consumer?.prose ?? ''), property?.words ?? new Set(), goal)
  }
  return learn(context, { tool: rule.tool, words, anything })
}

/** As often refused, for the same reason, as this reader takes; what was accepted since begins a new count. */
function exhausted({ facts, mind }: Context, { tool, action }: OperationManual): boolean {
  const since = facts.events.findLastIndex((event) => event.kind === 'operated' && event.accepted)
  const reasons = facts.events.slice(since + 1).flatMap((event) => {
    if (event.kind === 'failed' && event.tool === tool) return 'invalid'
    return event.kind === 'operated' && event.tool === tool && event.action === action ? (event.rule ?? 'harm') : []
  })
  const last = reasons.at(-1)
  return reasons.filter((reason) => reason === last).length >= mind.profile.refusals
}

/** A rule that a refusal has quoted cannot be overlooked any more. */
function wasRefusedFor({ facts }: Context, { tool, action }: OperationManual, { property, value }: Rule): boolean {
  return facts.events.some(
    (event) =>
      event.kind === 'operated' &&
      event.tool === tool &&
      event.action === action &&
      (event.rule?.includes(`\`${property ?? String(value)}\``) ?? false),
  )
}

function giveUp(context: Context): Intent {
  return knowsAll(context) ? { do: 'claim', achieved: false } : { do: 'decline' }
}
