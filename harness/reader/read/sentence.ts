import type { Condition, Json, WaitCondition } from '../../contract/index.js'
import type { Intent } from '../think/intent.js'
import { isObject } from '../../kit/index.js'
import { jsonAt } from './text.js'

/** Each intent as a sentence in which every name stands as JSON, so that nothing is lost on the way back. */
export function sentence(intent: Intent): string {
  switch (intent.do) {
    case 'discover':
      return 'Look up the catalogue of tools and documents.'
    case 'read':
      return `Read the document ${JSON.stringify(intent.document)}.`
    case 'mount':
      return `Mount the documents ${JSON.stringify(intent.documents)} and focus the tools ${JSON.stringify(intent.focus)}.`
    case 'focus':
      return `Focus the tools ${JSON.stringify(intent.tools)}.`
    case 'observe':
      return `Look at the tools ${JSON.stringify(intent.tools)}.`
    case 'operate': {
      const call = [intent.action, intent.tool, intent.args].map((part) => JSON.stringify(part))
      const then = intent.wait === null ? '' : ` Then wait for ${waitWords(intent.wait)}.`
      return `Call the operation ${call[0]} of ${call[1]} with ${call[2]}.${then}`
    }
    case 'wait':
      return `Wait for ${waitWords(intent)}.`
    case 'sleep':
      return `Pause for ${intent.ms} ms.`
    case 'claim':
      return intent.achieved ? 'The goal is achieved.' : 'The goal is given up.'
    case 'decline':
      break
  }
  return 'Nothing can be done now.'
}

function waitWords({ signals, when, timeoutMs }: WaitCondition): string {
  return `the signals ${JSON.stringify(signals)}, or until ${JSON.stringify(when)}, for at most ${JSON.stringify(timeoutMs)} ms`
}

/** `sentence` backwards; null for what it did not write. */
export function parseSentence(text: string): Intent | null {
  const trimmed = text.trim()
  for (const known of FIXED) if (sentence(known) === trimmed) return known
  const pattern = PATTERNS.find(([head]) => trimmed.startsWith(head))
  if (pattern === undefined) return null
  const [, parts, make] = pattern
  const values = scan(trimmed, parts)
  const intent = values === null ? null : make(values)
  return intent !== null && sentence(intent) === trimmed ? intent : null
}

const FIXED: readonly Intent[] = [
  { do: 'discover' },
  { do: 'decline' },
  { do: 'claim', achieved: true },
  { do: 'claim', achieved: false },
]
const OPS = ['is', 'below', 'above', 'at_least', 'at_most'] as const
const WAIT = ['the signals ', ', or until ', ', for at most ', ' ms.'] as const
const PATTERNS: readonly [head: string, parts: readonly string[], make: (values: Json[]) => Intent | null][] = [
  ['Read the document ', ['Read the document ', '.'], ([id]) => (isText(id) ? { do: 'read', document: id } : null)],
  [
    'Mount ',
    ['Mount the documents ', ' and focus the tools ', '.'],
    ([documents, focus]) => (isTexts(documents) && isTexts(focus) ? { do: 'mount', documents, focus } : null),
  ],
  ['Focus ', ['Focus the tools ', '.'], ([tools]) => (isTexts(tools) ? { do: 'focus', tools } : null)],
  ['Look at ', ['Look at the tools ', '.'], ([tools]) => (isTexts(tools) ? { do: 'observe', tools } : null)],
  ['Pause ', ['Pause for ', ' ms.'], ([ms]) => (typeof ms === 'number' ? { do: 'sleep', ms } : null)],
  [
    'Wait ',
    [`Wait for ${WAIT[0]}`, ...WAIT.slice(1)],
    (values) => {
      const wait = waitOf(values)
      return wait === null ? null : { do: 'wait', ...wait }
    },
  ],
  ['Call ', ['Call the operation ', ' of ', ' with ', '.'], operation],
]

function operation([action, tool, args, ...rest]: Json[]): Intent | null {
  if (!isText(action) || !isText(tool) || !isObject(args)) return null
  const wait = rest.length === 0 ? null : waitOf(rest)
  return { do: 'operate', tool, action, args, wait }
}

function waitOf([signals, when, timeoutMs]: Json[]): WaitCondition | null {
  if (!isTexts(signals) || !(timeoutMs === null || typeof timeoutMs === 'number')) return null
  const condition = when === null ? null : conditionOf(when)
  return condition === undefined ? null : { signals, when: condition, timeoutMs }
}

function conditionOf(when: Json | undefined): Condition | undefined {
  if (!isObject(when)) return undefined
  const { tool, property, op, value, unit } = when
  const known = OPS.find((each) => each === op)
  if (!isText(tool) || !isText(property) || known === undefined) return undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  return { tool, property, op: known, value, ...(isText(unit) && { unit }) }
}

/** The JSON values between fixed parts; an operation may go on with a wait. */
function scan(text: string, parts: readonly string[]): Json[] | null {
  const values: Json[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (!text.startsWith(part, at)) return null
    at += part.length
    if (index === parts.length - 1) break
    const found = jsonAt(text, at)
    if (found === null) return null
    values.push(found.value)
    at = found.end
  }
  if (at === text.length) return values
  const rest = scan(text.slice(at), [` Then wait for ${WAIT[0]}`, ...WAIT.slice(1)])
  return rest === null ? null : [...values, ...rest]
}

const isText = (value: Json | undefined): value is string => typeof value === 'string'
const isTexts = (value: Json | undefined): value is string[] => Array.isArray(value) && value.every(isText)
