import { InfrastructureError } from '../contract/index.js'
import type { RecordOf } from '../contract/index.js'
import type { RequestTexts } from './chat.js'

/** Where two texts part: the number of the line, and the two lines cut around it; null where a text has ended. */
interface Difference {
  line: number
  recorded: string | null
  now: string | null
}

const BEFORE = 40
const SHOWN = 120

export function firstDifference(recorded: string, now: string): Difference | null {
  if (recorded === now) return null
  const [left, right] = [recorded.split('\n'), now.split('\n')]
  const index = left.findIndex((line, i) => line !== right[i])
  const at = index < 0 ? left.length : index
  const [was, is] = [left[at] ?? null, right[at] ?? null]
  const from = was === null || is === null ? 0 : Math.max(0, commonLength(was, is) - BEFORE)
  return { line: at + 1, recorded: excerpt(was, from), now: excerpt(is, from) }
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function excerpt(line: string | null, from: number): string | null {
  if (line === null) return null
  const end = from + SHOWN
  return `${from > 0 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`
}

/** A request as it was recorded: texts by their hashes. */
export interface LoggedRequest extends Pick<RecordOf<'request'>, 'messages' | 'tools' | 'schema'> {
  phase?: string
  /** What shapes the answers of the model that was asked, as JSON. */
  settings?: string
}

type Asked = RequestTexts & Pick<LoggedRequest, 'settings'>

/** What requests are held against. */
interface RequestLog {
  requests: readonly LoggedRequest[]
  texts: ReadonlyMap<string, string>
}

/** Where a request first differs from the one recorded at its turn; null stands for what is not there. */
export interface Miss {
  call: number
  /** `message 3 (tool)`, `tools`, `schema`; null where no part differs, or nothing was recorded any more. */
  part: string | null
  line: number | null
  recorded: string | null
  now: string | null
  sentence: string
}

/** The record holds no answer to what was asked. */
export class RecordMiss extends InfrastructureError {
  override name = 'RecordMiss'
  constructor(readonly miss: Miss) {
    super(`${miss.sentence} Recorded: ${JSON.stringify(miss.recorded)}; now: ${JSON.stringify(miss.now)}.`)
  }

  /** `call` counts the requests from 1. `at`: the recorded one that it is held against, by default that of its turn. */
  static of(call: number, asked: Asked, { requests, texts }: RequestLog, at = call - 1): RecordMiss {
    const recorded = requests[at]
    const unknown = { call, part: null, line: null, recorded: null, now: null }
    if (recorded === undefined) {
      const sentence = `Call ${call} was never recorded: the record holds ${requests.length}.`
      return new RecordMiss({ ...unknown, now: firstLine(asked.messages.at(-1)?.text ?? null), sentence })
    }
    const differing = partsOf(recorded, asked, texts).find(({ was, is }) => was !== is)
    const name = recorded.phase === undefined ? `Call ${call}` : `Call ${call} (${recorded.phase})`
    if (differing === undefined) {
      const sentence = `${name} has the text of its record, which has answered an earlier call already.`
      return new RecordMiss({ ...unknown, sentence })
    }
    const { part, was, is } = differing
    const both = was === null || is === null ? null : firstDifference(was, is)
    const where = both === null ? part : `${part}, line ${both.line}`
    const { line, ...lines } = both ?? { line: null, recorded: firstLine(was), now: firstLine(is) }
    const then = at === call - 1 ? 'it' : `call ${at + 1}`
    const sentence = `${name} is asked otherwise than ${then} was recorded: ${where}.`
    return new RecordMiss({ call, part, line, ...lines, sentence })
  }
}

interface RequestPart {
  part: string
  was: string | null
  is: string | null
}

function partsOf(recorded: LoggedRequest, asked: Asked, pooled: ReadonlyMap<string, string>): RequestPart[] {
  const textOf = (hash: string | null): string | null => (hash === null ? null : (pooled.get(hash) ?? `(text ${hash})`))
  const turns = Array.from(
    { length: Math.max(recorded.messages.length, asked.messages.length) },
    (_, i): RequestPart[] => {
      const [was, is] = [recorded.messages[i], asked.messages[i]]
      const part = `message ${i + 1}`
      return [
        { part: `the role of ${part}`, was: was?.role ?? null, is: is?.role ?? null },
        { part: `${part} (${is?.role ?? ''})`, was: textOf(was?.hash ?? null), is: is?.text ?? null },
      ]
    },
  )
  return [
    ...turns.flat(),
    { part: 'tools', was: textOf(recorded.tools), is: asked.tools },
    { part: 'schema', was: textOf(recorded.schema), is: asked.schema },
    { part: 'settings', was: recorded.settings ?? null, is: asked.settings ?? null },
  ]
}

const firstLine = (text: string | null): string | null => text?.split('\n')[0] ?? null

/** The place of the recorded request that one has most in common with: parts alike from its beginning and from its end; of several the one nearest to its turn. */
export function nearest(asked: LoggedRequest, requests: readonly LoggedRequest[], turn: number): number {
  const likeness = requests.map((recorded) => alike(asked, recorded))
  const most = Math.max(...likeness)
  const places = likeness.flatMap((each, place) => (each === most ? [place] : []))
  return places.toSorted((a, b) => Math.abs(a - turn) - Math.abs(b - turn))[0] ?? turn
}

function alike(a: LoggedRequest, b: LoggedRequest): number {
  const [left, right] = [a, b].map(({ messages }) => messages.map(({ role, hash }) => `${role} ${hash}`))
  if (left === undefined || right === undefined) return 0
  const most = Math.min(left.length, right.length)
  let [first, last] = [0, 0]
  while (first < most && left[first] === right[first]) first++
  while (first + last < most && left.at(-1 - last) === right.at(-1 - last)) last++
  const extent = Math.max(left.length, right.length)
  // Of two with as much in common, the one of the same length.
  const common = first + last + (left.length === right.length ? 0.5 : 0)
  return common / extent + Number(a.tools === b.tools) + Number(a.schema === b.schema)
}
