import { VERBS } from '../think/intent.js'
import type { Verb } from '../think/intent.js'
import type { Dated, Event, Extract, Facts, KnownDocument, KnownTool, Listing } from './facts.js'
import { readGoal } from './goal.js'
import { readLine } from './lines.js'
import { readManual } from './manual.js'
import { readOffer } from './request.js'
import type { Offered, Request } from './request.js'
import { parseSentence } from './sentence.js'

/** A text of a prompt, taken apart: its lines with the section that they stand in, and its fenced documents. */
interface PromptText {
  lines: { section: string | null; text: string }[]
  documents: { section: string | null; id: string; text: string }[]
}

const FENCE = '<document id='
const END = '\n</document>'

/**
 * Takes a text apart. What a fence holds is a document and never anything else, also where it is not closed.
 * Tool results have no sections: a heading in one is a line.
 */
export function readPromptText(text: string, sectioned: boolean): PromptText {
  const parts: PromptText = { lines: [], documents: [] }
  let section: string | null = null
  for (let start = 0; start <= text.length;) {
    if (text.startsWith(FENCE, start)) {
      const head = lineEnd(text, start)
      const close = endOfFence(text, head)
      const id = idOf(text.slice(start + FENCE.length, head))
      if (id !== null) parts.documents.push({ section, id, text: text.slice(head + 1, close) })
      start = lineEnd(text, Math.min(close + 1, text.length)) + 1
      continue
    }
    const end = lineEnd(text, start)
    const line = text.slice(start, end)
    const title = sectioned && line.startsWith('## ') ? /^## ([A-Z][A-Z ]*)$/.exec(line)?.[1] : undefined
    if (title !== undefined) section = title
    else if (line !== '') parts.lines.push({ section, text: line })
    start = end + 1
  }
  return parts
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function endOfFence(text: string, head: number): number {
  let close = text.indexOf(END, head)
  while (close !== -1 && close + END.length < text.length && text[close + END.length] !== '\n') {
    close = text.indexOf(END, close + 1)
  }
  return close === -1 ? text.length : close
}

function idOf(attribute: string): string | null {
  try {
    const id: unknown = JSON.parse(attribute.replace(/>\s*$/, ''))
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

/** Sections whose lines are facts. The others hold prose, rules and examples, of which none is one. */
const FACTUAL = new Set(['REPERTOIRE', 'CATALOGUE', 'DOCUMENTS', 'VARIABLES', 'SIGNALS', 'HISTORY'])
/** At one instant, what happened comes before what was signalled, and that before what is so. */
const RANKS: Readonly<Record<string, number>> = { SIGNALS: 1, VARIABLES: 2 }

interface Gathered {
  events: { event: Event; rank: number }[]
  listings: Listing[]
  texts: Map<string, string>
  sections: Map<string, string[]>
  /** The first user message, where nothing of it is a section. */
  plain: string | null
  shown: Facts['shown']
  corrections: number
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
    texts: new Map(),
    sections: new Map(),
    plain: null,
    shown: null,
    corrections: 0,
  }
  let asked = false
  for (const message of messages) {
    if (message.role === 'assistant' || message.content === null) continue
    const { role, content } = message
    const { lines, documents } = readPromptText(content, role !== 'tool')
    for (const { id, text } of documents) {
      found.texts.set(id, text)
      found.shown = { id, text }
      if (role === 'tool') found.events.push({ event: { kind: 'read', at: null, document: id }, rank: 0 })
    }
    for (const { section, text } of lines) {
      if (section !== null) put(found.sections, section, text)
      if (section === null ? role === 'system' : !FACTUAL.has(section)) continue
      const { events, listings } = readLine(text)
      const rank = RANKS[section ?? ''] ?? 0
      for (const event of events) {
        if (event.kind === 'failed' && event.tool === null) found.corrections += 1
        found.events.push({ event, rank })
      }
      found.listings.push(...listings)
    }
    if (role !== 'user') continue
    if (!asked && lines.every(({ section }) => section === null)) found.plain = content
    // Later messages of a user bring facts, or correct an answer.
    if (asked && lines.every(({ text }) => readLine(text).events.length === 0)) found.corrections += 1
    asked = true
  }
  return found
}

function factsOf({ messages, tools, seed }: Request, gathered: Gathered, offer: Offered[]): Facts {
  const { listings, texts, sections } = gathered
  const events = dated(gathered.events)
  const unread = numberIn(sections, /^Unread documents: (\d+)/)
  const shown = listings.some(({ kind }) => kind === 'document')
  const documents = documentsOf(listings, texts, events)
  const discovered = shown || documents.length > 0 || events.some(({ kind }) => kind === 'discovered')
  return {
    seed,
    goal: readGoal(goalOf(gathered)),
    goalPlanned: gathered.plain === null && !sections.has('GOAL'),
    catalogue: { shown, unread, known: discovered || (unread ?? 0) > 0 },
    documents,
    tools: toolsOf(listings, offer),
    events,
    focused: focusOf(events),
    instruction: parseSentence((sections.get('INSTRUCTION') ?? []).join('\n')),
    shown: gathered.shown,
    // On either wire the repertoire is part of what has to be read.
    size: messages.reduce(
      (sum, { content }) => sum + (content?.length ?? 0),
      tools.length === 0 ? 0 : JSON.stringify(tools).length,
    ),
    corrections: gathered.corrections,
  }
}

/** A plan that restates the goal stands in for one that a phase leaves out. */
function goalOf({ sections, plain }: Gathered): string {
  const goal = sections.get('GOAL')?.join('\n')
  const planned = (sections.get('PLAN') ?? []).map((line) => /^\W*(?:\d+\.\s*)?Goal: (.*)$/.exec(line)?.[1])
  return goal ?? plain ?? planned.filter((line) => line !== undefined).join('\n')
}

function verbsOf({ sections }: Gathered, offer: Offered[]): ReadonlySet<Verb> {
  const line = (sections.get('REPERTOIRE') ?? []).find((each) => each.startsWith('Verbs:'))
  if (line === undefined) return new Set<Verb>([...offer.map(({ verb }) => verb), 'claim'])
  const named = new Set(line.slice('Verbs:'.length).match(/\w+/g))
  return new Set(VERBS.filter((verb) => named.has(verb)))
}

function documentsOf(listings: Listing[], texts: Map<string, string>, events: Dated[]): KnownDocument[] {
  const read = new Set(events.flatMap((event) => (event.kind === 'read' ? event.document : [])))
  const known = new Map<string, KnownDocument>()
  for (const entry of listings) {
    if (entry.kind !== 'document') continue
    const { id, summary, covers, state } = entry
    const seen = read.has(id) || (state !== null && state !== 'listed')
    known.set(id, { id, summary, covers, state: seen ? 'read' : 'listed', manual: null })
  }
  for (const id of read) if (!known.has(id)) known.set(id, { id, summary: '', covers: [], state: 'read', manual: null })
  for (const [id, text] of texts) {
    const manual = readManual(text)
    const { summary, covers } = known.get(id) ?? { summary: '', covers: [] }
    known.set(id, { id, summary, covers: [...new Set([...covers, ...manual.tools])], state: 'visible', manual })
  }
  return [...known.values()]
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

/** What does not say when it happened, happened when its predecessor did. A signal that stands twice came once. */
function dated(gathered: Gathered['events']): Dated[] {
  let last = 0
  const seen = new Set<number>()
  const timed = gathered.flatMap(({ event, rank }): { event: Dated; rank: number }[] => {
    if (event.kind === 'signal' && event.seq !== null) {
      if (seen.has(event.seq)) return []
      seen.add(event.seq)
    }
    const at = event.at ?? last
    if (rank === 0) last = at
    return [{ event: { ...event, at }, rank }]
  })
  return timed.toSorted((a, b) => a.event.at - b.event.at || a.rank - b.rank).map(({ event }) => event)
}

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

function numberIn(sections: Map<string, string[]>, pattern: RegExp): number | null {
  for (const lines of sections.values()) {
    for (const line of lines) {
      const found = pattern.exec(line)?.[1]
      if (found !== undefined) return Number(found)
    }
  }
  return null
}

function put(sections: Map<string, string[]>, section: string, line: string): void {
  const lines = sections.get(section)
  if (lines === undefined) sections.set(section, [line])
  else lines.push(line)
}
