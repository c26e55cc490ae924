import { NUMBERS } from '../profile.js'
import type { Facts, KnownDocument, KnownTool } from '../read/facts.js'
import { asCondition } from '../read/rule.js'
import type { BoundRule } from '../read/rule.js'
import { overlap, union } from '../read/text.js'
import type { Mind } from '../traits.js'
import type { Beliefs } from './beliefs.js'
import type { Intent, Verbs } from './intent.js'
import { needWords, summaryWords } from './library.js'
import type { Library, Process } from './library.js'

/** All that a decision rests on. */
export interface Context {
  facts: Facts
  verbs: Verbs
  library: Library
  beliefs: Beliefs
  mind: Mind
  /** Where other goals may be worked on meanwhile: an impasse is only noted. */
  deferred: { impasse: boolean } | null
}

/** A step to take now; null: nothing is in the way. */
export type Step = Intent | null

/** When the last operation was called; it may have been refused. */
function lastOperationAt({ facts }: Context): number {
  return facts.events.findLast(({ kind }) => kind === 'operated' || kind === 'failed')?.at ?? -1
}

/** The step that learns whether a rule holds; null where no verb could tell more than is known. */
export function look({ facts, verbs }: Context, { tool }: BoundRule): Step {
  if (verbs.has('focus')) return facts.focused.has(tool) ? null : { do: 'focus', tools: [tool] }
  if (!verbs.has('observe')) return null
  const acted = facts.events.findLastIndex(({ kind }) => kind === 'operated')
  const looked = facts.events.findLastIndex((event) => event.kind === 'looked' && event.tools.includes(tool))
  return looked > acted ? null : { do: 'observe', tools: [tool] }
}

/** The step that lets time pass until a rule may hold; null where no verb does. `process` is what brings it about. */
export function waitFor(context: Context, rule: BoundRule, process: Process | null): Step {
  const { facts, verbs } = context
  const since = Math.max(process?.startedAt ?? 0, lastOperationAt(context))
  const watched = toolsToWatch(context, rule)
  const unfocused = watched.filter((tool) => !facts.focused.has(tool))
  if (verbs.has('focus') && unfocused.length > 0) return { do: 'focus', tools: unfocused }
  if (verbs.has('wait')) return wait(context, rule, process, since)
  if (!verbs.has('observe')) return null
  const last = facts.events.findLast(
    (event) => event.at >= since && (event.kind === 'slept' || event.kind === 'looked' || event.kind === 'operated'),
  )
  const rested = last?.kind === 'slept' || !verbs.has('sleep')
  return rested ? { do: 'observe', tools: watched } : { do: 'sleep', ms: pause(context, since) }
}

/** Longer with each pause of this wait that the prompt still shows. */
function pause({ facts, mind: { profile } }: Context, since: number): number {
  const pauses = facts.events.filter(({ kind, at }) => kind === 'slept' && at >= since).length
  return Math.min(NUMBERS.pollMs.max, Math.round(profile.pollMs * profile.pollGrowth ** pauses))
}

/** The maintained conditions of the goal, as far as they can be bound. */
function keptRules({ facts: { goal }, library }: Context): BoundRule[] {
  return goal.keep.flatMap((kept) => library.bindGoal(kept, goal) ?? [])
}

/** What is maintained may fail during any wait, on whatever tool it is. */
function toolsToWatch(context: Context, rule: BoundRule): string[] {
  return [...new Set([rule.tool, ...keptRules(context).map(({ tool }) => tool)])]
}

function wait(context: Context, rule: BoundRule, process: Process | null, since: number): Step {
  const { facts, verbs, library, mind } = context
  const own = process?.operation.completions.map(({ signal }) => signal) ?? []
  const awaited = own.length > 0 ? own : library.signalsAbout(rule)
  const alarms = keptRules(context).flatMap((kept) => library.signalsAbout(kept))
  const recent = facts.events.findLast(
    (event) => event.at >= since && (event.kind === 'waited' || event.kind === 'looked'),
  )
  const timedOut = recent?.kind === 'waited' && recent.ended === 'timeout'
  const stale = timedOut || (process === null && othersHaveTold(context, rule))
  if (stale && verbs.has('observe') && !verbs.has('focus')) return { do: 'observe', tools: toolsToWatch(context, rule) }
  const signals = [...new Set([...awaited, ...alarms])]
  return { do: 'wait', signals, when: asCondition(rule), timeoutMs: mind.profile.waitTimeoutMs }
}

/** Has a signal told, since the property was last seen, that somebody else may have moved it? */
function othersHaveTold({ facts: { events }, library }: Context, rule: BoundRule): boolean {
  const signals = library.signalsAbout(rule)
  const own = new Set(events.flatMap((event) => (event.kind === 'operated' ? event.operationId : null) ?? []))
  const told = events.findLastIndex(
    (event) => event.kind === 'signal' && signals.includes(event.signal) && !own.has(event.operationId ?? ''),
  )
  const seen = events.findLastIndex(
    (event) => event.kind === 'seen' && event.tool === rule.tool && event.property === rule.property,
  )
  return told > seen
}

/** How often it has looked, or has waited to the end, since a time. */
export function looksSince({ facts }: Context, since: number): number {
  return facts.events.filter(({ kind, at }) => at > since && (kind === 'looked' || kind === 'waited')).length
}

/**
 * No verb to observe or to wait, and something pending: to act as if it were done (null), to stall with harmless calls
 * and then act, or to give up.
 */
export function impasse(context: Context): Step {
  const { facts, verbs, mind, deferred } = context
  if (deferred !== null) {
    deferred.impasse = true
    return { do: 'sleep', ms: 0 }
  }
  if (mind.profile.impasse === 'act') return null
  if (mind.profile.impasse === 'give-up') return { do: 'claim', achieved: false }
  const acted = facts.events.findLastIndex(({ kind }) => kind === 'operated' || kind === 'failed')
  const stalled = facts.events.slice(acted + 1).filter(({ kind }) => kind === 'read').length
  const known = facts.documents.filter(({ state }) => state !== 'listed')
  const document = known[stalled % Math.max(1, known.length)]
  if (stalled >= mind.profile.stallCalls || document === undefined || !verbs.has('read')) return null
  return { do: 'read', document: document.id }
}

/** What is not known yet: about which tool, and in which words. */
interface Need {
  tool: string | null
  words: () => ReadonlySet<string>
  /** Is any document better than none? Else only one that covers the tool, or shares a word. */
  anything: boolean
}

/** The step towards the document that meets a need best; null where none is left. */
export function learn(context: Context, need: Need): Step {
  const document = choose(context, need)
  if (document === null) return null
  const { verbs } = context
  const others = remembered(context, document)
  const unread = others.find(({ state }) => state === 'listed' && verbs.has('read'))
  if (document.state === 'read' && verbs.has('mount'))
    return unread === undefined ? mount(context, [document, ...others]) : { do: 'read', document: unread.id }
  if (!verbs.has('read')) return null
  return careless(context, document) ?? { do: 'read', document: document.id }
}

/** The others that a goal like this one needed, and that are not in the prompt: they come into it in the same go. */
function remembered({ facts }: Context, first: KnownDocument): KnownDocument[] {
  const { needed } = facts.remembered
  return facts.documents.filter((each) => each !== first && each.state !== 'visible' && needed.has(each.id))
}

function choose({ facts, library }: Context, { tool, words, anything }: Need): KnownDocument | null {
  const covering = tool === null ? [] : library.covering(tool)
  const uncovered = covering.find(({ state }) => state !== 'visible')
  if (uncovered !== undefined) return uncovered
  if (covering.length > 0 && !anything) return null
  const open = facts.documents.filter(({ state }) => state !== 'visible')
  if (open.length === 0) return null
  const tools = new Set(facts.tools.map(({ name }) => name))
  // Where the catalogue hides what is covered, any document may be that of the tool; what the tool is for says which.
  const searched = facts.tools.find(({ name }) => name === tool && open.some(({ hidden }) => hidden === true))
  const wanted = searched === undefined ? words() : union(words(), purposeOf(searched))
  const { needed, idle } = facts.remembered
  const ranked = open
    .map((document) => ({
      document,
      // Memory may be wrong: it says what comes first and last, and excludes nothing.
      known: needed.has(document.id) ? 1 : idle.has(document.id) ? -1 : 0,
      score: overlap(summaryWords(document), wanted),
      useful: document.covers.some((each) => tools.has(each)) ? 1 : 0,
    }))
    .filter(({ score }) => score > 0 || anything || searched !== undefined)
    .toSorted((a, b) => b.known - a.known || b.score - a.score || b.useful - a.useful)
  return ranked[0]?.document ?? null
}

function purposeOf({ summary, operations }: KnownTool): ReadonlySet<string> {
  return needWords(summary, ...operations.map((operation) => operation.summary))
}

/** Puts documents into the prompt, and the tools that they cover into focus, in one go. */
function mount({ facts, verbs }: Context, documents: readonly KnownDocument[]): Intent {
  const covered = new Set(documents.flatMap(({ covers }) => covers))
  const focus = facts.tools.map(({ name }) => name).filter((name) => covered.has(name) && !facts.focused.has(name))
  return { do: 'mount', documents: documents.map(({ id }) => id), focus: verbs.has('focus') ? focus : [] }
}

/** Who does not read first tries one operation of the tool instead, once; what it brings teaches to read. */
function careless({ facts, verbs, mind }: Context, document: KnownDocument): Step {
  if (mind.readsFirst(document) || !verbs.has('operate')) return null
  const tool = facts.tools.find(({ name, operations }) => operations.length > 0 && document.covers.includes(name))
  if (tool === undefined) return null
  const tried = facts.events.some(
    (event) =>
      (event.kind === 'operated' || event.kind === 'failed' || event.kind === 'withheld') && event.tool === tool.name,
  )
  const guessed = tool.operations[Math.floor(mind.guess(document) * tool.operations.length)]
  if (tried || guessed === undefined) return null
  return { do: 'operate', tool: tool.name, action: guessed.action, args: {}, wait: null }
}

/** Can it be said that nothing is left to read? A prompt that does not list the catalogue may count what is unread. */
export function knowsAll({ facts: { catalogue, documents }, verbs }: Context): boolean {
  if (catalogue.shown) return true
  if (catalogue.unread === null) return !verbs.has('discover')
  return catalogue.unread === 0 && documents.length > 0 && documents.every(({ state }) => state === 'visible')
}
