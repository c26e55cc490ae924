import type { Json, JsonObject, JsonSchema, SlipKind } from '../contract/index.js'
import { isObject, parseJson, readEnding } from '../kit/index.js'
import type { Offered } from './read/request.js'
import { verbOfWords } from './read/request.js'
import { parseSentence } from './read/sentence.js'
import type { Answer } from './say/call.js'
import type { Verb } from './think/intent.js'

/** What a request lets be answered: the functions that it offers, or the schema that it asks for. */
export interface Form {
  offer: readonly Offered[]
  schema: JsonSchema | null
}

/** What an answer does, its prose removed; `does` is null for what can be carried out by nobody. */
export interface Act {
  does: Verb | null
  /** Everything that it says to be done, as JSON, but for its wait. */
  what: string
  /** The wait that goes with it. */
  wait: string | null
}

const NOTHING = { does: null, wait: null }

/** Classes what any model, simulated or real, has answered to a request. */
export function actOf({ offer, schema }: Form, { content, call }: Answer): Act {
  if (call !== null) return callOf(offer, call)
  if (schema !== null) return fieldsOf(content ?? '')
  const ending = readEnding(content ?? '')
  return ending.kind === 'end' ? { does: 'claim', what: ending.claim, wait: null } : { ...NOTHING, what: '' }
}

function callOf(offer: readonly Offered[], call: NonNullable<Answer['call']>): Act {
  const tool = offer.find(({ name }) => name === call.name)
  const args = parseJson(call.arguments)
  if (tool === undefined || !isObject(args)) return { ...NOTHING, what: `${call.name} ${call.arguments}` }
  // Why something is declined is prose.
  const { wait = null, ...others } = args
  const waits = tool.verb === 'operate' && tool.waits
  const what = tool.verb === 'decline' ? {} : waits ? others : args
  return {
    does: tool.verb,
    what: JSON.stringify([call.name, what]),
    wait: waits && wait !== null ? JSON.stringify(wait) : null,
  }
}

const PROSE: ReadonlySet<string> = new Set(['summary', 'thought', 'lessons', 'procedure', 'outcome'])

function fieldsOf(text: string): Act {
  const fields = parseJson(text)
  if (!isObject(fields)) return { ...NOTHING, what: text }
  const { wait: decided, suspend, plan, ...others } = fields
  const said = Object.entries(others).filter(([name]) => !PROSE.has(name))
  // Of a plan only the goal is acted on, where a later call is not told it otherwise.
  const goals = list(plan).filter((line) => typeof line === 'string' && line.startsWith('Goal:'))
  const wait = decided ?? suspend ?? null
  return {
    does: verbOf(fields),
    what: JSON.stringify([said, goals]),
    wait: wait === null ? null : JSON.stringify(wait),
  }
}

function verbOf({ completed, decision, instruction, mount, document }: JsonObject): Verb | null {
  if (completed === true) return 'claim'
  if (decision === 'WAIT') return 'wait'
  if (decision === 'SETUP' || mount !== undefined) return 'mount'
  if (decision === 'ACT') return verbIn(typeof instruction === 'string' ? instruction : '')
  return document === undefined ? 'observe' : 'read'
}

/** What follows from an instruction to act; what names no other step is meant for an operation. */
function verbIn(instruction: string): Verb {
  return parseSentence(instruction)?.do ?? verbOfWords(instruction) ?? 'operate'
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Does an answer differ from another by more than its prose? */
export function differ(one: Act, other: Act): boolean {
  return one.does !== other.does || one.what !== other.what || one.wait !== other.wait
}

/** What the wrong one of two answers would do that the right one does not. */
export function kindOf(right: Act, wrong: Act): SlipKind {
  if (right.wait !== null && wrong.wait === null && right.what === wrong.what) return 'omit'
  return wrong.does === 'operate' || wrong.does === 'claim' ? 'commit' : 'detour'
}
