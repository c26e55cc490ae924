import { InfrastructureError } from '../contract/index.js'
import type { RecordOf, Trace, TraceRecord } from '../contract/index.js'
import { ContextOverflow, textsOf } from './chat.js'
import type { ChatModel, ChatRequest, Completion, RequestTexts } from './chat.js'
import { unaskable } from './client.js'
import { unpackVector } from './embedding.js'
import type { Embedded, EmbeddingModels } from './embedding.js'
import { createLedger } from './metered.js'

/** The texts of a trace by the hashes that stand for them. */
export const textsIn = (trace: Trace): ReadonlyMap<string, string> =>
  new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))

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

  /** `call` counts the requests from 1. */
  static of(call: number, asked: RequestTexts, trace: Trace): RecordMiss {
    const requests = pick(trace, 'request')
    const recorded = requests[call - 1]
    const unknown = { call, part: null, line: null, recorded: null, now: null }
    if (recorded === undefined) {
      const sentence = `Call ${call} was never recorded: the record holds ${requests.length}.`
      return new RecordMiss({ ...unknown, now: firstLine(asked.messages.at(-1)?.text ?? null), sentence })
    }
    const differing = partsOf(recorded, asked, trace).find(({ was, is }) => was !== is)
    const name = `Call ${call} (${recorded.phase})`
    if (differing === undefined) {
      const sentence = `${name} has the text of its record, which has answered an earlier call already.`
      return new RecordMiss({ ...unknown, sentence })
    }
    const { part, was, is } = differing
    const both = was === null || is === null ? null : firstDifference(was, is)
    const where = both === null ? part : `${part}, line ${both.line}`
    const { line, ...texts } = both ?? { line: null, recorded: firstLine(was), now: firstLine(is) }
    const sentence = `${name} is asked otherwise than it was recorded: ${where}.`
    return new RecordMiss({ call, part, line, ...texts, sentence })
  }
}

interface RequestPart {
  part: string
  was: string | null
  is: string | null
}

function partsOf(recorded: RecordOf<'request'>, asked: RequestTexts, trace: Trace): RequestPart[] {
  const pooled = textsIn(trace)
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
  ]
}

const firstLine = (text: string | null): string | null => text?.split('\n')[0] ?? null

/** A thought that had not ended when its trial did lasts longer than any trial. */
const NEVER_MS = Number.MAX_SAFE_INTEGER

/** A model that answers from a trace: as long after the question as then, and at the cost of then. */
export interface RecordedModel extends ChatModel {
  /** Of the model that will answer the next request. */
  readonly name: string
  /** How many requests have come. */
  readonly asked: number
  /** The first request that the record does not hold; null while it held all. */
  readonly miss: RecordMiss | null
}

/**
 * Requests are found by what they say (messages, tools, schema); those that say the same are answered in their order.
 * After `calls` requests the model `live` goes on, if there is one.
 */
export function recordedModel(trace: Trace, options: { calls?: number; live?: ChatModel } = {}): RecordedModel {
  const { calls = Infinity, live } = options
  const requests = pick(trace, 'request')
  const complete = completer(trace)
  const open = new Map<string, RecordOf<'request'>[]>()
  for (const request of requests.slice(0, calls)) {
    const key = keyOf(request)
    open.set(key, [...(open.get(key) ?? []), request])
  }
  const ledger = createLedger()
  const hash = (text: string): string => ledger.pool(text, () => {})
  let asked = 0
  let miss: RecordMiss | null = null

  return {
    get name() {
      if (live !== undefined && asked >= calls) return live.name
      return (requests[asked] ?? requests.at(-1))?.model ?? 'recorded'
    },
    get asked() {
      return asked
    },
    get miss() {
      return miss
    },
    async complete(request: ChatRequest): Promise<Completion> {
      asked += 1
      if (asked > calls && live !== undefined) return live.complete(request)
      const { messages, tools, schema } = textsOf(request)
      const key = keyOf({
        messages: messages.map(({ role, text }) => ({ role, hash: hash(text) })),
        tools: tools === null ? null : hash(tools),
        schema: schema === null ? null : hash(schema),
      })
      const found = open.get(key)?.shift()
      if (found !== undefined) return complete(found)
      const missed = RecordMiss.of(asked, { messages, tools, schema }, trace)
      miss ??= missed
      throw missed
    },
  }
}

const keyOf = ({ messages, tools, schema }: Pick<RecordOf<'request'>, 'messages' | 'tools' | 'schema'>): string =>
  JSON.stringify([messages.map(({ role, hash }) => [role, hash]), tools, schema])

function pick<K extends TraceRecord['kind']>(trace: Trace, kind: K): RecordOf<K>[] {
  return trace.filter((record): record is RecordOf<K> => record.kind === kind)
}

function completer(trace: Trace): (request: RecordOf<'request'>) => Completion {
  const answers = new Map(pick(trace, 'answer').map((answer) => [answer.call, answer]))
  const pooled = new Map(pick(trace, 'text').map(({ hash, text }) => [hash, text]))
  const errors = pick(trace, 'error')
  return ({ call, role }) => {
    const answer = answers.get(call)
    if (answer === undefined) {
      const failure = errors.find(({ where }) => where === role)
      const full = pick(trace, 'limit').some((limit) => limit.limit === 'context' && limit.role === role)
      if (full) throw new ContextOverflow(failure?.message ?? '')
      if (failure !== undefined) throw failed(failure)
      return { ...unsaid, recorded: { thoughtMs: NEVER_MS, costUsd: null } }
    }
    const { status, text, toolCalls, finish, usage, retries, unparsed, costUsd, reasoning, carried } = answer
    const thoughtMs = status === 'interrupted' ? NEVER_MS : answer.thoughtMs
    const recorded = { thoughtMs, costUsd }
    const exposures = answer.exposures?.map((each) => ({ ...each, subject: pooled.get(each.subject) ?? each.subject }))
    const said = { text, toolCalls, finish, usage, retries, unparsed, realMs: 0, recorded }
    return {
      ...said,
      ...(exposures !== undefined && { exposures }),
      ...(reasoning !== undefined && { reasoning }),
      ...(carried !== undefined && { carried }),
    }
  }
}

const failed = ({ message, infrastructure }: RecordOf<'error'>): Error =>
  infrastructure ? new InfrastructureError(message) : new Error(message)

const unsaid: Completion = {
  text: null,
  toolCalls: [],
  finish: 'stop',
  usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, counted: true },
  retries: 0,
  realMs: 0,
  unparsed: [],
}

/** Embeddings as a trace holds them, request by request. What it does not hold comes from `live`, if there is one. */
export function recordedEmbeddings(trace: Trace, live?: EmbeddingModels): EmbeddingModels {
  const pooled = textsIn(trace)
  const open = new Map<string, RecordOf<'embedding'>[]>()
  for (const record of pick(trace, 'embedding')) {
    const texts = record.texts.map((hash) => pooled.get(hash) ?? '')
    const key = embeddingKey(record.model, texts)
    open.set(key, [...(open.get(key) ?? []), record])
  }

  return (name) => ({
    name,
    async embed(texts): Promise<Embedded> {
      const found = open.get(embeddingKey(name, texts))?.shift()
      if (found !== undefined) {
        const { vectors, usage, retries, costUsd } = found
        return { vectors: vectors.map(unpackVector), usage, retries, recorded: { costUsd } }
      }
      if (live !== undefined) return live(name).embed(texts)
      const refusal = pick(trace, 'error').find(({ message }) => message.startsWith(unaskable(name)))
      throw new InfrastructureError(
        refusal?.message ??
          `The trace does not hold the embeddings by "${name}" of what is asked now: ${JSON.stringify(texts[0])}.`,
      )
    },
  })
}

const embeddingKey = (model: string, texts: readonly string[]): string => JSON.stringify([model, ...texts])
