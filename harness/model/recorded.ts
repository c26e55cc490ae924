import { InfrastructureError } from '../define/index.js'
import type { RecordOf, Trace, TraceRecord } from '../define/index.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { createLedger } from './ledger.js'
import { RecordMiss } from './record-miss.js'
import { textsOf } from './request-texts.js'

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
  const errors = pick(trace, 'error')
  return ({ call, role }) => {
    const answer = answers.get(call)
    if (answer === undefined) {
      const failure = errors.find(({ where }) => where === role)
      if (failure !== undefined) throw failed(failure)
      return { ...unsaid, recorded: { thoughtMs: NEVER_MS, costUsd: null } }
    }
    const { status, text, toolCalls, finish, usage, retries, unparsed, costUsd } = answer
    const thoughtMs = status === 'interrupted' ? NEVER_MS : answer.thoughtMs
    return { text, toolCalls, finish, usage, retries, unparsed, realMs: 0, recorded: { thoughtMs, costUsd } }
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
