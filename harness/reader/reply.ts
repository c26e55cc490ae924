import type { Profile } from './profile.js'
import { extract } from './read/extract.js'
import type { Facts } from './read/facts.js'
import { readOffer } from './read/request.js'
import type { Request } from './read/request.js'
import { mask } from './read/text.js'
import { renderCall } from './say/call.js'
import type { Answer } from './say/call.js'
import { renderFields } from './say/fields.js'
import { decide } from './think/decide.js'
import type { Intent } from './think/intent.js'
import { openLibrary } from './think/library.js'
import { createMind } from './traits.js'
import type { Mind } from './traits.js'

/** What can get lost without anybody noticing: items of lists, rows of tables, and numbered rules. */
const ITEM = /^\s*(?:[-*]|\||\d+\.)\s*\S/
const RULE = /^\|[\s:|-]+\|?$/

/** A text as it comes back from who retypes it: word for word, or with one item left out. */
function retype(text: string, mind: Mind): string {
  const slip = mind.slips(text)
  if (slip === null) return text
  const lines = text.split('\n')
  const items = lines.flatMap((line, index) => (ITEM.test(line) && !RULE.test(line) ? [index] : []))
  const lost = items[Math.floor(slip * items.length)]
  return lines.filter((_, index) => index !== lost).join('\n')
}

interface Reply {
  answer: Answer
  unparsed: string[]
}

/** The reader as a pure function of (request, profile). An instruction of an earlier phase is carried out, not decided anew. */
export function respond(request: Request, profile: Profile): Reply {
  const { facts, verbs } = extract(request)
  const schema = request.response_format?.json_schema?.schema ?? null
  const { intent, unparsed } =
    facts.instruction === null
      ? decide(facts, verbs, profile)
      : { intent: facts.instruction, unparsed: openLibrary(facts).unparsed }
  const mind = createMind(facts, profile)
  const document = facts.shown === null ? null : retype(facts.shown.text, mind)
  const answer =
    schema === null || request.tools.length > 0
      ? renderCall(intent, readOffer(request.tools))
      : { content: JSON.stringify(renderFields(intent, schema, facts.goal.text, document)), call: null }
  const { subject, n } = exposure(intent, facts)
  const sound = mind.wellFormed(subject, n)
  return { answer: sound ? answer : malformed(answer, schema !== null), unparsed }
}

/** What a slip of syntax is drawn on: the decision and its prose, decisions alike before it, corrections of it. */
function exposure(intent: Intent, { events, documents, corrections }: Facts): { subject: string; n: number } {
  const accepted = events.filter((event) => event.kind === 'operated' && event.accepted)
  if (intent.do === 'operate') {
    const manual = documents.flatMap((document) => document.manual?.operations ?? [])
    const known = manual.find(({ tool, action }) => tool === intent.tool && action === intent.action)
    const alike = accepted.filter((event) => event.kind === 'operated' && event.action === intent.action)
    return { subject: `operate ${known?.prose ?? ''}`, n: alike.length + corrections }
  }
  if (intent.do === 'read' || intent.do === 'mount') {
    const ids = intent.do === 'read' ? [intent.document] : intent.documents
    const summaries = documents.filter(({ id }) => ids.includes(id)).map(({ summary }) => mask(summary))
    return { subject: [intent.do, ...summaries].join(' '), n: corrections }
  }
  return { subject: intent.do, n: accepted.length + corrections }
}

/** Its end is missing, as of an answer that was cut. A plain text has no form to lose. */
function malformed(answer: Answer, structured: boolean): Answer {
  const { content, call } = answer
  if (call !== null) return { content, call: { ...call, arguments: call.arguments.slice(0, -1) } }
  return structured && content !== null ? { content: content.slice(0, -1), call } : answer
}
