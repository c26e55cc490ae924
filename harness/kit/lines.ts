import type { DocumentEntry, Reading, SignalEntry } from '../contract/door.js'
import type { Condition } from '../contract/environment.js'
import type { Json, JsonObject, Scalar } from '../contract/json.js'
import { isObject, isScalar, list, namesOf, numberOf, parseJson, textOf, texts } from './json.js'
import { listingsOf } from './listings.js'
import type { Listing } from './listings.js'

export {
  callLine,
  catalogueLine,
  experienceLine,
  operationLine,
  readToolDescription,
  toolDescription,
} from './listings.js'

/**
 * The forms of a fact on one line, as JSON: each with what writes it and what reads it. Tool results and prompt sections
 * share them, so that every surface shows equal facts in equal words. The page docs/wire.md shows each form.
 */
interface Form<T> {
  write: (told: T) => string
  /** What an object of this form tells; null for another. `at` is its own time, or that of what it stands in. */
  read: (fields: JsonObject, at: number | null) => Event[] | null
}

/** Something that a line tells to have happened, or to be so. `at` is null where it does not say when. */
export type Event = { at: number | null } & (
  | {
      kind: 'operated'
      tool: string
      action: string
      accepted: boolean
      operationId: string | null
      rule: string | null
      message: string
      /** What the names in the operation's rules stand for at this call. */
      about: Readonly<Record<string, Scalar>>
      /** Its latent process has ended as well, as blocking doors tell. */
      completed: boolean
    }
  /** A call that reached no rule of the world. */
  | { kind: 'failed'; tool: string | null; action: string | null }
  /** A call that the architecture has kept from the world. */
  | { kind: 'withheld'; tool: string }
  | { kind: 'seen'; tool: string; property: string; value: Scalar; changedAt: number | null }
  /** A look by the reader's own choice. */
  | { kind: 'looked'; tools: string[] }
  | {
      kind: 'signal'
      signal: string
      tool: string | null
      seq: number | null
      operationId: string | null
      about: Readonly<Record<string, Scalar>>
    }
  | { kind: 'discovered' }
  | { kind: 'read'; document: string }
  | { kind: 'slept' }
  | { kind: 'waited'; ended: string }
  /** The goal is not pursued any more. */
  | { kind: 'ended'; achieved: boolean }
  | { kind: 'focused' | 'unfocused'; tools: string[] }
  | { kind: 'unmounted'; documents: string[] }
)

/** Everything that one line says. */
export interface Said {
  events: Event[]
  listings: Listing[]
}

/** A fact on one line, as JSON. Keys without a value are left out. */
export const fact = (value: Json | object): string => JSON.stringify(value)

/** The keys stand in the order in which the writer names them. */
const form = <T extends object>(read: Form<T>['read']): Form<T> => ({ write: fact, read })

/** What a door adds to an acknowledgement that has waited for the end; `at` stays the time of the acknowledgement. */
export const withCompletion = (
  told: JsonObject,
  end: { completed: boolean; signals: readonly SignalEntry[]; returnedAt: number },
): JsonObject => ({ ...told, ...end, signals: end.signals.map((entry) => ({ ...entry })) })

/** The answer to an operation. */
export const acknowledgement = form<{
  tool: string
  action: string
  accepted: boolean
  operationId: string | null
  at: number
  about?: Readonly<Record<string, Scalar>>
  message: string
  rule?: string
}>((fields, at) => {
  const { accepted, tool, action, message, completed, signals } = fields
  if (typeof accepted !== 'boolean' || typeof tool !== 'string' || typeof action !== 'string') return null
  const [operationId, rule] = [textOf(fields['operationId']), textOf(fields['rule'])]
  const called = { tool, action, accepted, operationId, rule, about: namesOf(fields['about']) }
  // Where the signals of the end are told as well, they say more than that it came.
  const isOver = completed === true && list(signals).length === 0
  return [{ kind: 'operated', at, ...called, message: textOf(message) ?? '', completed: isOver }]
})

/** A call that was invalid, or an answer that could not be used. */
export const failure = form<{ tool?: string; error: string; at?: number }>(({ error, tool, action }, at) =>
  error === undefined ? null : [{ kind: 'failed', at, tool: textOf(tool), action: textOf(action) }],
)

/** An operation that the runtime held back. */
export const withheld = form<{ notDispatched: { tool: string; action?: string }; reason: string; at: number }>(
  ({ notDispatched }, at) => {
    const tool = isObject(notDispatched) ? textOf(notDispatched['tool']) : null
    return tool === null ? null : [{ kind: 'withheld', at, tool }]
  },
)

export const signal: Form<SignalEntry> = {
  write: ({ signal: name, tool, payload, seq, at, operationId }) =>
    fact({ signal: name, tool, payload, seq, at, operationId }),
  read({ signal: name, tool, payload, seq, operationId }, at) {
    if (typeof name !== 'string') return null
    const from = { tool: textOf(tool), seq: numberOf(seq), operationId: textOf(operationId) }
    return [{ kind: 'signal', at, signal: name, ...from, about: namesOf(payload) }]
  },
}

type Seen = Pick<Reading, 'tool' | 'properties'>

/** A wait that has ended, with what the door shows then. */
export const wait = form<{
  waited: { signals: readonly string[]; when?: Condition }
  ended: 'signal' | 'condition' | 'timeout'
  signals?: readonly SignalEntry[]
  observed?: readonly Seen[]
  /** What could not be read, and why. */
  notRead?: readonly string[]
  reason?: string
  at: number
}>(({ waited, ended, observed }, at) =>
  waited === undefined ? null : [...seenIn(list(observed), at), { kind: 'waited', at, ended: textOf(ended) ?? '' }],
)

/** The answer to a look at the state. */
export const look = form<{ observed: readonly Seen[]; at: number }>(({ observed }, at) => {
  if (!Array.isArray(observed)) return null
  const tools = list(observed)
    .filter(isObject)
    .map(({ tool }) => textOf(tool) ?? '')
  return [...seenIn(list(observed), at), { kind: 'looked', at, tools }]
})

/** One property of a tool in focus: the value, when it last changed, and when it was read. */
export const variable = form<{ tool: string; property: string; value: Scalar; at: number; readAt: number }>(
  ({ tool, property, value, readAt }, at) =>
    typeof tool === 'string' && typeof property === 'string' && isScalar(value)
      ? [{ kind: 'seen', at: numberOf(readAt) ?? at, tool, property, value, changedAt: at }]
      : null,
)

/** The answer to a discovery. */
export const catalogue = form<{
  tools: readonly { name: string; summary: string }[]
  documents: readonly DocumentEntry[]
  at: number
}>(({ tools, documents }, at) =>
  Array.isArray(tools) && Array.isArray(documents) ? [{ kind: 'discovered', at }] : null,
)

/** The catalogue was captured: how much there is in it. */
export const discovery = form<{ discovered: { tools: number; documents: number }; at: number }>(({ discovered }, at) =>
  discovered === undefined ? null : [{ kind: 'discovered', at }],
)

export const reading = form<{ read: string; at: number }>(({ read }, at) =>
  typeof read === 'string' ? [{ kind: 'read', at, document: read }] : null,
)

export const pause = form<{ slept: number; at: number }>(({ slept }, at) =>
  typeof slept === 'number' ? [{ kind: 'slept', at }] : null,
)

/** The end of an activity. */
export const end = form<{ ended: string; summary: string; at: number }>(({ ended }, at) =>
  typeof ended === 'string' ? [{ kind: 'ended', at, achieved: ended === 'achieved' }] : null,
)

/** `only`: the single signals to which the focus of a tool is narrowed. */
export const focus = form<{ focused: readonly string[]; only?: Record<string, string[]>; at: number | null }>(
  ({ focused }, at) => (Array.isArray(focused) ? [{ kind: 'focused', at, tools: texts(focused) }] : null),
)

export const unfocus = form<{ unfocused: readonly string[]; at: number }>(({ unfocused }, at) =>
  Array.isArray(unfocused) ? [{ kind: 'unfocused', at, tools: texts(unfocused) }] : null,
)

export const unmount = form<{ unmounted: readonly string[]; at: number }>(({ unmounted }, at) =>
  Array.isArray(unmounted) ? [{ kind: 'unmounted', at, documents: texts(unmounted) }] : null,
)

/** The first that fits decides; one object says one thing. */
const FORMS = [
  acknowledgement,
  failure,
  withheld,
  signal,
  wait,
  look,
  variable,
  catalogue,
  discovery,
  reading,
  pause,
  end,
  focus,
  unfocus,
  unmount,
]

/** The JSON of a line that is a fact, wherever it stands; null for other text. */
export const factIn = (line: string): string | null =>
  line.startsWith('{') ? line : line.startsWith('- {') ? line.slice(2) : null

/** What a fact says, by the keys of its JSON. */
export function readFact(text: string): Said {
  const value = parseJson(text)
  if (!isObject(value)) return { events: [], listings: [] }
  const at = numberOf(value['at'])
  const more = list(value['signals']).filter(isObject)
  return { events: [value, ...more].flatMap((each) => eventsOf(each, at)), listings: listingsOf(value) }
}

function eventsOf(fields: JsonObject, outer: number | null): Event[] {
  const at = numberOf(fields['at']) ?? outer
  for (const { read } of FORMS) {
    const events = read(fields, at)
    if (events !== null) return events
  }
  return []
}

function seenIn(observed: readonly Json[], at: number | null): Event[] {
  return observed.filter(isObject).flatMap(({ tool, properties }) =>
    Object.entries(isObject(properties) ? properties : {}).flatMap(([property, known]): Event[] => {
      const value = isObject(known) ? known['value'] : known
      const changedAt = isObject(known) ? numberOf(known['at']) : null
      return isScalar(value) ? [{ kind: 'seen', at, tool: textOf(tool) ?? '', property, value, changedAt }] : []
    }),
  )
}
