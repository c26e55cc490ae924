import type { Exposure, SlipKind } from '../contract/index.js'
import { actOf, differ, kindOf } from './act.js'
import type { Act, Form } from './act.js'
import { settle } from './exposures.js'
import type { Profile } from './profile.js'
import { extract } from './read/extract.js'
import type { Facts } from './read/facts.js'
import { readGoal } from './read/goal.js'
import { readOffer } from './read/request.js'
import type { Request } from './read/request.js'
import { mask } from './read/text.js'
import { renderCall } from './say/call.js'
import type { Answer } from './say/call.js'
import { renderFields } from './say/fields.js'
import { createDecider } from './think/decide.js'
import type { Decider } from './think/decide.js'
import type { Intent, Verbs } from './think/intent.js'
import { oncePer } from './think/library.js'
import { createMind } from './traits.js'
import type { Chance, Mind, MindFor, Noticed } from './traits.js'

/** What can get lost without anybody noticing: items of lists, rows of tables, and numbered rules. */
const ITEM = /^\s*(?:[-*]|\||\d+\.)\s*\S/
const RULE = /^\|[\s:|-]+\|?$/

/** A text as it comes back from who retypes it: word for word, or with one item left out. */
function retype(text: string, mind: Mind): string {
  const slip = mind.retypes(text)
  if (slip === null) return text
  const lines = text.split('\n')
  const items = lines.flatMap((line, index) => (ITEM.test(line) && !RULE.test(line) ? [index] : []))
  const lost = items[Math.floor(slip * items.length)]
  return lines.filter((_, index) => index !== lost).join('\n')
}

/** A goal that an earlier call has put into the plan, as it is read where nothing else tells it: it may have lost a clause. */
function receiveGoal(text: string, mind: Mind): string {
  const lost = mind.receives(`goal ${mask(text)}`, 0, false)
  if (lost === null) return text
  const clauses = text.split(/(?<=[.,;:!?])\s+/)
  return clauses.filter((_, index) => index !== Math.floor(lost * clauses.length)).join(' ')
}

type Operate = Extract<Intent, { do: 'operate' }>

/** An instruction as it is read: it may have lost an argument or its wait, which who holds the source fills in. */
function receiveInstruction(intent: Operate, facts: Facts, decider: Decider, mind: Mind): Intent {
  const { subject, alike } = operationIn(intent, facts)
  const { args, wait } = intent
  const held = JSON.stringify(decider.argumentsOf(intent)) === JSON.stringify(args)
  const lost = mind.receives(subject, alike, held)
  if (lost === null) return intent
  const names = Object.keys(args)
  const at = Math.floor(lost * (names.length + (wait === null ? 0 : 1)))
  if (at === names.length) return { ...intent, wait: null }
  return { ...intent, args: Object.fromEntries(Object.entries(args).filter((_, index) => index !== at)) }
}

/** What the reader means to do, as its traits have it; what it reads of a prompt is read once. */
function createThinker(facts: Facts, verbs: Verbs): { intentOf(mindFor: MindFor): Intent; unparsed: string[] } {
  const decider = createDecider(facts, verbs)
  const { instruction, goalPlanned } = facts
  const others = new Map<string, Decider>()
  return {
    unparsed: decider.unparsed,
    intentOf(mindFor) {
      if (instruction !== null) {
        if (instruction.do !== 'operate') return instruction
        return receiveInstruction(instruction, facts, decider, mindFor(facts))
      }
      if (!goalPlanned) return decider.decide(mindFor)
      const text = receiveGoal(facts.goal.text, mindFor(facts))
      if (text === facts.goal.text) return decider.decide(mindFor)
      const other = others.get(text) ?? createDecider({ ...facts, goal: readGoal(text) }, verbs)
      others.set(text, other)
      return other.decide(mindFor)
    },
  }
}

interface Reply {
  answer: Answer
  unparsed: string[]
  exposures: Exposure[]
}

/** An answer under a supposition: what it rests on, and what it says, put into words only where that is asked. */
interface Draft {
  intent: Intent
  document: string | null
  /** Equal for equal answers. */
  key: string
  answer: Answer | null
  act: Act | null
}

/** The reader as a pure function of (request, profile). An instruction of an earlier phase is carried out, not decided anew. */
export function respond(request: Request, profile: Profile): Reply {
  const { x_reader: state = { agent: '', seed: request.seed, replica: 0, counts: {} } } = request
  const { facts, verbs } = extract({ ...request, seed: state.seed })
  const schema = request.response_format?.json_schema?.schema ?? null
  const structured = schema !== null && request.tools.length === 0
  const form: Form = { offer: readOffer(request.tools), schema: structured ? schema : null }
  const retyped = structured && Object.hasOwn(Object(schema['properties']), 'document') ? facts.shown : null
  const thinker = createThinker(facts, verbs)

  // A weak map of the whole program would keep what it knows of each prompt until a full collection.
  const rulesOf = oncePer((_known: Facts): Noticed => new Map())

  function draft(wrong: (chance: Chance) => boolean): Draft {
    const mindFor: MindFor = (known) => createMind(known, profile, wrong, rulesOf(known))
    const intent = thinker.intentOf(mindFor)
    const document = retyped === null ? null : retype(retyped.text, mindFor(facts))
    return { intent, document, key: JSON.stringify([intent, document]), answer: null, act: null }
  }
  const say = (of: Draft): Answer =>
    (of.answer ??= structured
      ? {
          content: JSON.stringify(
            renderFields(of.intent, schema, facts.goal.text, { document: of.document, calls: facts.calls }),
          ),
          call: null,
        }
      : renderCall(of.intent, form.offer))
  const actIn = (of: Draft): Act => (of.act ??= actOf(form, say(of)))
  function compare(right: Draft, wrong: Draft): SlipKind | null {
    if (right.key === wrong.key || !differ(actIn(right), actIn(wrong))) return null
    return kindOf(actIn(right), actIn(wrong))
  }

  const { answer: chosen, exposures } = settle({ profile, state, answer: draft, compare })
  const answer = say(chosen)
  // The form is lost, or kept, whatever the answer says.
  const broken = malformed(answer, structured)
  const subject = subjectIn(chosen.intent, facts)
  const spoken = settle({
    profile,
    state,
    answer: (wrong) => (createMind(facts, profile, wrong).malforms(subject) ? broken : answer),
    compare: (right, wrong) => (right === wrong ? null : 'detour'),
  })
  return { answer: spoken.answer, unparsed: thinker.unparsed, exposures: [...exposures, ...spoken.exposures] }
}

/** The operation of a call in prose, and how many calls alike were accepted before. */
function operationIn({ tool, action }: Operate, { documents, events }: Facts): { subject: string; alike: number } {
  const manual = documents.flatMap((document) => document.manual?.operations ?? [])
  const known = manual.find((each) => each.tool === tool && each.action === action)
  const alike = events.filter(
    (event) => event.kind === 'operated' && event.accepted && event.tool === tool && event.action === action,
  )
  return { subject: `operate ${known?.prose ?? ''}`, alike: alike.length }
}

/** What an answer is about, in prose. */
function subjectIn(intent: Intent, facts: Facts): string {
  if (intent.do === 'operate') return operationIn(intent, facts).subject
  if (intent.do !== 'read' && intent.do !== 'mount') return intent.do
  const ids = intent.do === 'read' ? [intent.document] : intent.documents
  const summaries = facts.documents.filter(({ id }) => ids.includes(id)).map(({ summary }) => mask(summary))
  return [intent.do, ...summaries].join(' ')
}

/** Its end is missing, as of an answer that was cut. A plain text has no form to lose. */
function malformed(answer: Answer, structured: boolean): Answer {
  const { content, call } = answer
  if (call !== null) return { content, call: { ...call, arguments: call.arguments.slice(0, -1) } }
  return structured && content !== null ? { content: content.slice(0, -1), call } : answer
}
