import type { AgentNote, CallResult, Door, Json, JsonObject } from '../../harness/contract/index.js'
import { prompt } from '../../harness/kit/index.js'
import { isObject, parseObject } from './input.js'
import { notes } from './notes.js'
import type { Offer } from './offer.js'
import { directivesWithin } from './template.js'
import type { Part } from './template.js'
import { NO_RESULT, done, hard, soft } from './unit.js'
import type { AgentResult, Reply, Unit } from './unit.js'
import type { User } from './user.js'

/** What a conversation lends to the agents that are called in it. */
export interface House {
  door: Door
  offer: Offer
  /** Suspends the activity until the user has answered. */
  user: User
  /** How deep agents may call each other. */
  maxDepth: number
  note: (note: AgentNote) => void
}

/** One call of the model, with all that follows from it. */
export interface Errand extends House {
  round: number
  /** How many directives were carried out so far, in all depths. */
  spent: { directives: number }
}

export interface Invocation {
  unit: Unit
  input: JsonObject
  by: 'model' | 'template'
  depth: number
}

/** Runs an agent: its tool, then what its author says to what the tool brought. */
export async function invoke(errand: Errand, { unit, input, by, depth }: Invocation): Promise<AgentResult> {
  const { name } = unit
  const { note, round } = errand
  if (depth > errand.maxDepth) return ended(soft('depth_limit', false))
  note(notes.unit({ unit: name, by, round, depth, input }))
  return ended(await run())

  async function run(): Promise<AgentResult> {
    const data = unit.tool === null ? null : await errand.door.call(unit.tool.name, unit.tool.args ?? input)
    if (data !== null) reportInert(errand, 'world', data.text)
    if (data?.outcome === 'invalid') return misused(data)
    const reply = replyTo(unit.replies, data?.text ?? JSON.stringify(input))
    if (reply === null) return data === null ? soft('no_reply') : done(data.text, isLasting(data))
    if (reply.kind === 'fail') return hard(`${name}: ${reply.message}`)
    const text = await expand(errand, { unit, input, depth }, reply.parts)
    const said = reply.kind === 'no_result' && text.error === null ? softened(text, reply.reason) : text
    if (said.error !== null || data === null) return said
    // What the tool brought was never declared by anybody: it goes out as it came, beside the words of the author.
    if (said.noResult === null) return done(`${data.text}\n${said.output}`)
    return { ...said, output: said.output === NO_RESULT ? data.text : `${data.text}\n${said.output}` }
  }

  /** A model can mend its arguments; what an author has written cannot mend itself. */
  function misused({ text }: CallResult): AgentResult {
    return by === 'template' ? hard(`${name} was called wrongly: ${text}`, false) : { ...done(text), ran: false }
  }

  function ended(result: AgentResult): AgentResult {
    const { ran, error, noResult } = result
    const how = error !== null ? 'hard' : noResult !== null ? 'soft' : 'output'
    note(notes.unitResult({ unit: name, depth, ran, ended: how, detail: error ?? noResult ?? '' }))
    return result
  }
}

/** The words beside a marker go to the model with the reason; without words there is the reason alone. */
function softened({ output }: AgentResult, reason: string): AgentResult {
  const words = output.trim()
  return words === '' ? soft(reason) : { ...soft(reason), output: words }
}

function isLasting({ kind, outcome, data }: CallResult): boolean {
  const isMissing = isObject(data) && data['found'] === false
  return (kind === 'catalogue' || kind === 'document') && outcome === 'read' && !isMissing
}

function replyTo(replies: readonly Reply[], text: string): Reply | null {
  return replies.find(({ when }) => when === null || text.includes(when)) ?? null
}

/** What looks like a directive in a text that no author has declared: it stays text, and is told. */
export function reportInert({ note }: Pick<House, 'note'>, where: 'world' | 'model' | 'user', text: string): void {
  for (const directive of directivesWithin(unquoted(text))) note(notes.inert({ where, directive }))
}

/** The words of a text, or of the JSON that it is, without the escapes of JSON. */
function unquoted(text: string): string {
  const object = text.includes('{{') ? parseObject(text) : null
  return object === null ? text : wordsOf(object).join('\n')
}

function wordsOf(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(wordsOf)
}

type Directive = Extract<Part, { kind: 'directive' }>

/** Whose text it is, what that agent was given, and how deep it stands. */
interface Author {
  unit: Unit
  input: JsonObject
  depth: number
}

/** No honest registry comes near it; one whose agents call each other twice doubles at each level. */
const MAX_DIRECTIVES = 64

/**
 * Carries out the directives of a declared text, in their order, each once. What they insert is inserted as it is and
 * never read as a template. A hard failure ends it; what a soft one leaves out, the other parts may make good.
 */
async function expand(errand: Errand, author: Author, parts: readonly Part[]): Promise<AgentResult> {
  let output = ''
  let missing: AgentResult | null = null
  for (const part of parts) {
    if (part.kind === 'text') {
      output += part.text
      continue
    }
    if (++errand.spent.directives > MAX_DIRECTIVES)
      return hard(`${author.unit.name}: more than ${MAX_DIRECTIVES} directives follow from one call.`)
    const { unit, depth } = author
    errand.note(notes.expansion({ unit: unit.name, depth, directive: part.source }))
    const result = await carryOut(errand, author, part)
    if (result.error !== null) return result
    if (result.noResult === null) output += result.output
    else missing ??= result
  }
  return missing !== null && output.trim() === '' ? { ...missing, ran: true } : done(output)
}

function carryOut(errand: Errand, author: Author, { name, args }: Directive): Promise<AgentResult> {
  const [first = '', ...rest] = args
  switch (name) {
    case 'Get':
      return get(errand, author, first, rest[0])
    case 'AskUser':
      return ask(errand, first, [])
    case 'Options':
      return ask(errand, first, rest)
    case 'Suggest':
      break
  }
  return Promise.resolve(suggest(errand, first))
}

/** A JSON object is the input as it is, any other text its `input`; without one, it is what the recruiter was given. */
async function get(errand: Errand, { input, depth }: Author, name: string, given?: string): Promise<AgentResult> {
  const unit = errand.offer.find(name)
  if (unit === null) return hard(unknown(errand, name), false)
  return invoke(errand, {
    unit,
    input: given === undefined ? input : (parseObject(given) ?? { input: given }),
    by: 'template',
    depth: depth + 1,
  })
}

async function ask(errand: Errand, question: string, choices: readonly string[]): Promise<AgentResult> {
  errand.note(notes.ask({ question, choices }))
  const said = await errand.user.ask(question, choices)
  if (said !== null) reportInert(errand, 'user', said)
  const answer = choices.length === 0 || said === null ? said : chosen(said, choices)
  errand.note(notes.told(answer))
  return answer === null ? soft(said === null ? 'no_answer' : 'no_choice') : done(prompt.quote(answer))
}

const chosen = (said: string, choices: readonly string[]): string | null =>
  choices.find((choice) => choice.toLowerCase() === said.trim().toLowerCase()) ?? null

/** Deferred: nobody is called now, and the model may do it. */
function suggest(errand: Errand, name: string): AgentResult {
  const unit = errand.offer.find(name)
  if (unit === null) return hard(unknown(errand, name), false)
  errand.offer.suggest(unit)
  return done(unit.summary === '' ? `You may call ${name}.` : `You may call ${name}: ${unit.summary}`)
}

const unknown = ({ offer }: Errand, name: string): string => `No agent named "${name}". Known: ${offer.names()}.`
