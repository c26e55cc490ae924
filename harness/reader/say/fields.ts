import type { Json, JsonObject, JsonSchema } from '../../contract/index.js'
import { numberedParts } from '../read/goal.js'
import { sentence } from '../read/sentence.js'
import { isObject } from '../../kit/index.js'
import type { Intent, Verbs } from '../think/intent.js'
import { STEPS, prose } from './prose.js'

/** An intent as an answer in JSON: fields bind by the names of docs/wire.md, the others take their type's default. */
export function renderFields(
  intent: Intent,
  schema: JsonSchema,
  goal: string,
  { document = null, calls = NONE }: { document?: string | null; calls?: Verbs } = {},
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]): [string, Json] => {
      const shape = isObject(field) ? field : {}
      return [name, valueOf(name, shape, intent, { goal, document, calls, fields: properties }) ?? defaultOf(shape)]
    }),
  )
}

const NONE: Verbs = new Set()

interface Around {
  goal: string
  /** The last document of the prompt, as it would retype it. */
  document: string | null
  /** What an ACT may call, beside operations and documents. */
  calls: Verbs
  fields: JsonObject
}

/** Null: this field says nothing of the intent. */
function valueOf(name: string, shape: JsonObject, intent: Intent, { goal, document, calls, fields }: Around): Json {
  switch (name) {
    case 'completed':
      return intent.do === 'claim'
    case 'achieved':
      return intent.do === 'claim' && intent.achieved
    case 'thought':
      return isChoice(shape) ? null : prose(intent.do, 'thought')
    case 'summary':
    case 'outcome':
      return isChoice(shape) ? null : prose(intent.do, 'summary')
    case 'plan':
      // A phase that leaves out the goal finds it here.
      return [...goalLines(goal), ...steps(intent)]
    case 'lessons':
    case 'procedure':
      return steps(intent)
    case 'decision':
      return decision(calls.has(intent.do) ? 'ACT' : DECISIONS[intent.do], shape)
    case 'instruction':
      return sentence(withoutWait(intent, calls.has('wait') || Object.hasOwn(fields, 'wait')))
    case 'wait':
      return waitOf(intent)
    case 'suspend':
      return intent.do === 'wait' ? waitOf(intent) : null
    case 'document':
      return document
    case 'mount':
      return intent.do === 'mount' ? intent.documents : []
    case 'focus':
      return intent.do === 'mount' ? intent.focus : intent.do === 'focus' ? intent.tools : []
    default:
      return null
  }
}

const DECISIONS: Readonly<Record<Intent['do'], string>> = {
  discover: 'ACT',
  read: 'ACT',
  operate: 'ACT',
  sleep: 'ACT',
  decline: 'ACT',
  mount: 'SETUP',
  focus: 'SETUP',
  wait: 'WAIT',
  observe: 'OBSERVE',
  claim: 'OBSERVE',
}

/** A wait that is told elsewhere, or is a call of its own, goes with no operation. */
function withoutWait(intent: Intent, elsewhere: boolean): Intent {
  return intent.do === 'operate' && elsewhere ? { ...intent, wait: null } : intent
}

function decision(wanted: string, shape: JsonObject): Json {
  const choices = Array.isArray(shape['enum']) ? shape['enum'] : null
  return choices === null || choices.includes(wanted) ? wanted : null
}

function waitOf(intent: Intent): Json {
  const wait = intent.do === 'wait' ? intent : intent.do === 'operate' ? intent.wait : null
  if (wait === null) return null
  const { signals, when, timeoutMs } = wait
  if (when === null) return { signals, when, timeoutMs }
  const { tool, property, op, value } = when
  return { signals, when: { tool, property, op, value }, timeoutMs }
}

/** Goals that do not depend on each other keep a line each. */
function goalLines(goal: string): string[] {
  const parts = numberedParts(goal)
  if (parts.length < 2) return [`Goal: ${goal.replaceAll('\n', ' ')}`]
  return parts.map((part, index) => `Goal: ${index + 1}. ${part}`)
}

function steps(intent: Intent): string[] {
  return Array.from({ length: STEPS }, () => prose(intent.do, 'step'))
}

const isChoice = (shape: JsonObject): boolean => shape['enum'] !== undefined || shape['const'] !== undefined

/** The empty value of a type; of a choice, its first. */
function defaultOf(shape: JsonObject): Json {
  const { enum: choices, const: only, anyOf, type } = shape
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0] ?? null
  if (Array.isArray(anyOf)) {
    const variants = anyOf.filter(isObject)
    return variants.some((variant) => variant['type'] === 'null') ? null : defaultOf(variants[0] ?? {})
  }
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('null')) return null
  switch (types[0]) {
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return typeof shape['minimum'] === 'number' ? Math.max(0, shape['minimum']) : 0
    case 'array':
      return []
    case 'object':
      return objectOf(shape)
    case 'string':
      return ''
    default:
      return null
  }
}

function objectOf({ properties }: JsonObject): JsonObject {
  const fields = isObject(properties) ? Object.entries(properties) : []
  return Object.fromEntries(fields.map(([name, field]) => [name, defaultOf(isObject(field) ? field : {})]))
}
