import { InfrastructureError } from '../contract/index.js'
import type { RecordOf, Trace, TraceRecord } from '../contract/index.js'
import { ContextOverflow, textsOf } from './chat.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { unaskable } from './client.js'
import { unpackVector } from './embedding.js'
import type { Embedded, EmbeddingModels } from './embedding.js'
import { createLedger } from './metered.js'
import { RecordMiss } from './miss.js'

/** The texts of a trace by the hashes that stand for them. */
export const textsIn = (trace: Trace): ReadonlyMap<string, string> =>
  new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))

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
      const missed = RecordMiss.of(asked, { messages, tools, schema }, { requests, texts: textsIn(trace) })
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
