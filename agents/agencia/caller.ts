import type { CallResult, Door, Json, JsonObject, UnitNote } from '../../harness/define/index.js'
import { expand } from './expand.js'
import { isObject, parseObject } from './input.js'
import type { Offer } from './offer.js'
import { directivesWithin } from './template.js'
import { done, hard, soft } from './unit.js'
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
  note: (note: UnitNote) => void
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
  note({ kind: 'unit', unit: name, by, round, depth, input })
  return ended(await run())

  async function run(): Promise<AgentResult> {
    const data = unit.tool === null ? null : await errand.door.call(unit.tool.name, unit.tool.args ?? input)
    if (data !== null) reportInert(errand, 'world', data.text)
    if (data?.outcome === 'invalid') return misused(data)
    const reply = replyTo(unit.replies, data?.text ?? JSON.stringify(input))
    if (reply === null) return data === null ? soft('no_reply') : done(data.text, isLasting(data))
    if (reply.kind === 'fail') return hard(`${name}: ${reply.message}`)
    const said =
      reply.kind === 'no_result' ? soft(reply.reason) : await expand(errand, { unit, input, depth }, reply.parts)
    if (said.error !== null || data === null) return said
    // What the tool brought was never declared by anybody: it goes out as it came, beside the words of the author.
    return said.noResult === null ? done(`${data.text}\n${said.output}`) : { ...said, output: data.text }
  }

  /** A model can mend its arguments; what an author has written cannot mend itself. */
  function misused({ text }: CallResult): AgentResult {
    return by === 'template' ? hard(`${name} was called wrongly: ${text}`, false) : { ...done(text), ran: false }
  }

  function ended(result: AgentResult): AgentResult {
    const { ran, error, noResult } = result
    const how = error !== null ? 'hard' : noResult !== null ? 'soft' : 'output'
    note({ kind: 'unit_result', unit: name, depth, ran, ended: how, detail: error ?? noResult ?? '' })
    return result
  }
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
  for (const directive of directivesWithin(unquoted(text))) note({ kind: 'inert', where, directive })
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
