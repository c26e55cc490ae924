import { VERBS } from '../think/intent.js'
import type { Verb } from '../think/intent.js'
import { lines as forms, readNumbered, readPromptText, readUnread, readVerbs, unquote } from '../../kit/index.js'
import type { Event, Line, Listing, Said } from '../../kit/index.js'
import { createTextCache } from '../../model/tokens.js'
import type { Dated, Extract, Facts, KnownDocument, KnownTool } from './facts.js'
import { readGoal } from './goal.js'
import { readManual } from './manual.js'
import { readOffer, textOfTools, verbOf } from './request.js'
import type { Offered, Request } from './request.js'
import { parseSentence } from './sentence.js'

/** Sections whose lines are facts. The others hold prose, rules and examples, of which none is one. */
const FACTUAL = new Set(['REPERTOIRE', 'CATALOGUE', 'DOCUMENTS', 'VARIABLES', 'SIGNALS', 'HISTORY'])
/** Its lines tell which documents were of use to an earlier goal, and nothing of the world of now. */
const MEMORIES = 'MEMORIES'
/** At one instant, what happened comes before what was signalled, and that before what is so. */
const RANKS: Readonly<Record<string, number>> = { SIGNALS: 1, VARIABLES: 2 }

interface Gathered {
  events: { event: Event; rank: number }[]
  listings: Listing[]
  remembered: Listing[]
  texts: Map<string, string>
  sections: Map<string, Line[]>
  /** The first user message, where nothing of it is a section. */
  plain: string | null
  shown: Facts['shown']
}

const cache = createTextCache<Said>(4_096)
const NOTHING: Said = { events: [], listings: [] }

type PromptText = ReturnType<typeof readPromptText>
/** What stood in the prompt before: instructions, and the results of tools. What a user says is new. */
const results = createTextCache<PromptText>(500)
const instructions = createTextCache<PromptText>(500)

function takenApart(role: 'system' | 'user' | 'tool', content: string): PromptText {
  if (role === 'user') return readPromptText(content, true)
  if (role === 'tool') return results.get(content, (text) => readPromptText(text, false))
  return instructions.get(content, (text) => readPromptText(text, true))
}

/** What a line says; the same come again and again. */
function saidIn(line: string): Said {
  const text = forms.factIn(line)
  return text === null ? NOTHING : cache.get(text, forms.readFact)
}

/** Reads a request: messages, sections, tools and schema become facts and verbs. */
export function extract(request: Request): Extract {
  const offer = readOffer(request.tools)
  const gathered = gather(request)
  return { facts: factsOf(request, gathered, offer), verbs: verbsOf(gathered, offer) }
}

function gather({ messages }: Request): Gathered {
  const found: Gathered = {
    events: [],
    listings: [],
    remembered: [],
    texts: new Map(),
    sections: new Map(),
    plain: null,
    shown: null,
  }
  let asked = false
  for (const message of messages) {
    if (message.role === 'assistant' || message.content === null) continue
    const { role, content } = message
    const { lines, documents } = takenApart(role, content)
    for (const { id, text } of documents) {
      found.texts.set(id, text)
      found.shown = { id, text }
      if (role === 'tool') found.events.push({ event: { kind: 'read', at: null, document: id }, rank: 0 })
    }
    for (const { section, ...line } of lines) {
      const { text, quoted = false } = line
      if (section !== null) put(found.sections, section, line)
      if (quoted) continue
      if (section === MEMORIES) found.remembered.push(...saidIn(text).listings)
      if (section === null ? role === 'system' : !FACTUAL.has(section)) continue
      const { events, listings } = saidIn(text)
      const rank = RANKS[section ?? ''] ?? 0
      for (const event of events) found.events.push({ event, rank })
      found.listings.push(...listings)
    }
    if (role !== 'user') continue
    if (!asked && lines.every(({ section }) => section === null)) found.plain = unquote(content)
    asked = true
  }
  return found
}

function factsOf({ messages, tools: functions, seed }: Request, gathered: Gathered, offer: Offered[]): Facts {
  const { listings, texts, sections } = gathered
  const events = dated(gathered.events)
  const unread = unreadIn(sections)
  const tools = toolsOf(listings, offer)
  const shown = listings.some(({ kind }) => kind === 'document')
  const documents = documentsOf(listings, texts, events)
  const discovered = shown || documents.length > 0 || events.some(({ kind }) => kind === 'discovered')
  return {
    seed,
    goal: readGoal(goalOf(gathered)),
    goalPlanned: gathered.plain === null && !sections.has('GOAL'),
    catalogue: { shown, unread, known: discovered || (unread ?? 0) > 0 },
    documents: documents.map((document) => withoutStrangers(document, tools)),
    tools,
    calls: new Set(listings.flatMap((each) => (each.kind === 'call' ? (verbOf(each.name, each.summary) ?? []) : []))),
    events,
    focused: focusOf(events),
    remembered: rememberedIn(gathered.remembered),
    instruction: parseSentence(textIn(sections, 'INSTRUCTION') ?? ''),
    shown: gathered.shown,
    // On either wire the repertoire is part of what has to be read.
    size: messages.reduce(
      (sum, { content }) => sum + (content?.length ?? 0),
      functions.length === 0 ? 0 : textOfTools(functions).length,
    ),
  }
}

/** A plan that restates the goal stands in for one that a phase leaves out. */
function goalOf({ sections, plain }: Gathered): string {
  const steps = readNumbered(sections.get('PLAN') ?? [])
  const planned = steps.map((step) => /^\W*(?:\d+\.\s*)?Goal: ([\s\S]*)$/.exec(step)?.[1])
  return textIn(sections, 'GOAL') ?? plain ?? planned.filter((line) => line !== undefined).join('\n')
}

function verbsOf({ sections }: Gathered, offer: Offered[]): ReadonlySet<Verb> {
  const named = (sections.get('REPERTOIRE') ?? []).map(({ text }) => readVerbs(text)).find((verbs) => verbs !== null)
  if (named === undefined || named === null) return new Set<Verb>([...offer.map(({ verb }) => verb), 'claim'])
  return new Set(VERBS.filter((verb) => named.includes(verb)))
}

function documentsOf(listings: Listing[], texts: Map<string, string>, events: Dated[]): KnownDocument[] {
  const read = new Set(events.flatMap((event) => (event.kind === 'read' ? event.document : [])))
  const known = new Map<string, KnownDocument>()
  for (const entry of listings) {
    if (entry.kind !== 'document') continue
    const { id, summary, covers, state } = entry
    const seen = read.has(id) || (state !== null && state !== 'listed')
    const hidden = covers === null && { hidden: true }
    known.set(id, { id, summary, covers: covers ?? [], ...hidden, state: seen ? 'read' : 'listed', manual: null })
  }
  for (const id of read) if (!known.has(id)) known.set(id, { id, summary: '', covers: [], state: 'read', manual: null })
  for (const [id, text] of texts) {
    const manual = readManual(text)
    const { summary, covers } = known.get(id) ?? { summary: '', covers: [] }
    known.set(id, { id, summary, covers: [...new Set([...covers, ...manual.tools])], state: 'visible', manual })
  }
  return [...known.values()]
}

/** A manual of operations none of which is here tells of another plant: nothing of it holds for this one. */
function withoutStrangers(document: KnownDocument, tools: readonly KnownTool[]): KnownDocument {
  const operations = document.manual?.operations ?? []
  if (operations.length === 0 || tools.length === 0) return document
  const here = operations.some((operation) => tools.some(({ name }) => name === operation.tool))
  return here ? document : { ...document, manual: null }
}

function toolsOf(listings: Listing[], offer: Offered[]): KnownTool[] {
  const known = new Map<string, KnownTool>()
  const tool = (name: string, summary: string): KnownTool => {
    const made = known.get(name) ?? { name, summary, operations: [] }
    if (made.summary === '') made.summary = summary
    known.set(name, made)
    return made
  }
  for (const each of offer) {
    if (each.verb !== 'operate') continue
    tool(each.name, each.summary).operations = each.actions.map(({ name, summary }) => ({ action: name, summary }))
  }
  for (const entry of listings) {
    if (entry.kind === 'tool') tool(entry.name, entry.summary)
    if (entry.kind !== 'operation') continue
    const { operations } = tool(entry.tool, '')
    if (!operations.some(({ action }) => action === entry.action)) {
      operations.push({ action: entry.action, summary: entry.summary })
    }
  }
  return [...known.values()]
}

/** What was needed once is not idle; how a goal was missed tells nothing of what it needs. */
function rememberedIn(listings: Listing[]): Facts['remembered'] {
  const experiences = listings.filter((each) => each.kind === 'experience')
  const needed = new Set(experiences.flatMap((each) => (each.achieved ? each.needed : [])))
  return { needed, idle: new Set(experiences.flatMap(({ idle }) => idle.filter((id) => !needed.has(id)))) }
}

/** What does not say when it happened, happened when its predecessor did. A signal that stands twice came once. */
function dated(gathered: Gathered['events']): Dated[] {
  let last = 0
  const seen = new Set<number>()
  const timed = gathered.flatMap(({ event, rank }): { event: Dated; rank: number }[] => {
    if (event.kind === 'signal' && event.seq !== null) {
      if (seen.has(event.seq)) return []
      seen.add(event.seq)
    }
    const known = isDated(event) ? event : { ...event, at: last }
    if (rank === 0) last = known.at
    return [{ event: known, rank }]
  })
  return timed.toSorted((a, b) => a.event.at - b.event.at || a.rank - b.rank).map(({ event }) => event)
}

const isDated = (event: Event): event is Dated => event.at !== null

function focusOf(events: Dated[]): Set<string> {
  const focused = new Set<string>()
  for (const event of events) {
    if (event.kind === 'focused') for (const tool of event.tools) focused.add(tool)
    // Variables are those of focused tools; a history that has moved on need not tell of the focus.
    if (event.kind === 'seen') focused.add(event.tool)
    if (event.kind === 'unfocused') for (const tool of event.tools) focused.delete(tool)
  }
  return focused
}

const textIn = (sections: Map<string, Line[]>, section: string): string | undefined =>
  sections
    .get(section)
    ?.map(({ text }) => text)
    .join('\n')

function unreadIn(sections: Map<string, Line[]>): number | null {
  for (const lines of sections.values()) {
    for (const { text, quoted = false } of lines) {
      const found = quoted ? null : readUnread(text)
      if (found !== null) return found
    }
  }
  return null
}

function put(sections: Map<string, Line[]>, section: string, line: Line): void {
  const lines = sections.get(section)
  if (lines === undefined) sections.set(section, [line])
  else lines.push(line)
}
