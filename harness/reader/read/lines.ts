import type { Json, JsonObject } from '../../contract/index.js'
import { createTextCache } from '../../model/tokens.js'
import type { Event, Listing, Said } from './facts.js'
import { namesOf } from './names.js'
import { isObject, isScalar, parseJson } from './text.js'

const said = createTextCache<Said>(4_096)

/** What a line says, by the keys of its JSON (docs/wire.md), wherever it stands; other text says nothing. */
export function readLine(line: string): Said {
  const start = line.startsWith('{') ? 0 : line.startsWith('- {') ? 2 : -1
  return start === -1 ? NOTHING : said.get(start === 0 ? line : line.slice(start), parse)
}

const NOTHING: Said = { events: [], listings: [] }

function parse(line: string): Said {
  const value = parseJson(line)
  return isObject(value) ? read(value) : NOTHING
}

function read(fields: JsonObject): Said {
  const at = numberOf(fields['at'])
  const more = list(fields['signals'])
    .filter(isObject)
    .flatMap((each) => eventsOf(each, at))
  return { events: [...eventsOf(fields, at), ...more], listings: listingsOf(fields) }
}

/** The first rule that fits decides; one object says one thing. */
function eventsOf(fields: JsonObject, outer: number | null): Event[] {
  const at = numberOf(fields['at']) ?? outer
  const tool = textOf(fields['tool'])
  const action = textOf(fields['action'])
  const { signal, property, value, observed } = fields
  if (typeof fields['accepted'] === 'boolean' && tool !== null && action !== null) {
    const { accepted } = fields
    const [rule, operationId] = [textOf(fields['rule']), textOf(fields['operationId'])]
    const message = textOf(fields['message']) ?? ''
    // Where the signals of the end are told as well, they say more than that it came.
    const completed = fields['completed'] === true && list(fields['signals']).length === 0
    const about = namesOf(fields['about'])
    return [{ kind: 'operated', at, tool, action, accepted, operationId, rule, message, about, completed }]
  }
  if (fields['error'] !== undefined) return [{ kind: 'failed', at, tool, action }]
  const withheld = isObject(fields['notDispatched']) ? textOf(fields['notDispatched']['tool']) : null
  if (withheld !== null) return [{ kind: 'withheld', at, tool: withheld }]
  if (typeof signal === 'string') {
    const [seq, operationId] = [numberOf(fields['seq']), textOf(fields['operationId'])]
    return [{ kind: 'signal', at, signal, tool, seq, operationId, about: namesOf(fields['payload']) }]
  }
  if (fields['waited'] !== undefined) {
    const waited: Event = { kind: 'waited', at, ended: textOf(fields['ended']) ?? '' }
    return [...seenIn(list(observed), at), waited]
  }
  if (Array.isArray(observed)) return lookOf(observed, at)
  if (tool !== null && typeof property === 'string' && isScalar(value)) {
    return [{ kind: 'seen', at: numberOf(fields['readAt']) ?? at, tool, property, value, changedAt: at }]
  }
  if (Array.isArray(fields['tools']) && Array.isArray(fields['documents'])) return [{ kind: 'discovered', at }]
  if (fields['discovered'] !== undefined) return [{ kind: 'discovered', at }]
  if (typeof fields['read'] === 'string') return [{ kind: 'read', at, document: fields['read'] }]
  if (typeof fields['slept'] === 'number') return [{ kind: 'slept', at }]
  if (typeof fields['ended'] === 'string') return [{ kind: 'ended', at, achieved: fields['ended'] === 'achieved' }]
  if (Array.isArray(fields['focused'])) return [{ kind: 'focused', at, tools: texts(fields['focused']) }]
  if (Array.isArray(fields['unfocused'])) return [{ kind: 'unfocused', at, tools: texts(fields['unfocused']) }]
  if (Array.isArray(fields['unmounted'])) return [{ kind: 'unmounted', at, documents: texts(fields['unmounted']) }]
  return []
}

function lookOf(observed: readonly Json[], at: number | null): Event[] {
  const tools = observed.filter(isObject).map((each) => textOf(each['tool']) ?? '')
  return [...seenIn(observed, at), { kind: 'looked', at, tools }]
}

function seenIn(observed: readonly Json[], at: number | null): Event[] {
  const readings = observed
    .filter(isObject)
    .map((each) => ({ tool: textOf(each['tool']) ?? '', of: each['properties'] }))
  return readings.flatMap(({ tool, of }) =>
    Object.entries(isObject(of) ? of : {}).flatMap(([property, reading]): Event[] => {
      const value = isObject(reading) ? reading['value'] : reading
      const changedAt = isObject(reading) ? numberOf(reading['at']) : null
      return isScalar(value) ? [{ kind: 'seen', at, tool, property, value, changedAt }] : []
    }),
  )
}

function listingsOf(fields: JsonObject): Listing[] {
  const summary = textOf(fields['summary'])
  const document = textOf(fields['document'])
  const tool = textOf(fields['tool'])
  const operation = textOf(fields['operation'])
  if (document !== null && summary !== null) {
    return [
      { kind: 'document', id: document, summary, covers: texts(fields['covers']), state: textOf(fields['state']) },
    ]
  }
  if (tool !== null && operation !== null)
    return [{ kind: 'operation', tool, action: operation, summary: summary ?? '' }]
  return [
    ...list(fields['tools']).flatMap((each): Listing[] => {
      const name = isObject(each) ? textOf(each['name']) : null
      return isObject(each) && name !== null ? [{ kind: 'tool', name, summary: textOf(each['summary']) ?? '' }] : []
    }),
    ...list(fields['documents']).flatMap((each): Listing[] => {
      const id = isObject(each) ? textOf(each['id']) : null
      if (!isObject(each) || id === null) return []
      const covers = texts(each['covers'])
      return [{ kind: 'document', id, summary: textOf(each['summary']) ?? '', covers, state: null }]
    }),
  ]
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const texts = (value: Json | undefined): string[] => list(value).filter((each) => typeof each === 'string')
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
