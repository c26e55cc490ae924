import { hash } from 'node:crypto'
import { InfrastructureError, RunStopped } from '../contract/index.js'
import type { Json } from '../contract/index.js'
import { ContextOverflow, rerouted, textsOf } from './chat.js'
import type { ChatModel, ChatRequest, Completion } from './chat.js'
import { packVector, unpackVector } from './embedding.js'
import type { Embedded, EmbeddingModels } from './embedding.js'
import { RecordMiss, nearest } from './miss.js'
import type { LoggedRequest } from './miss.js'

/** How a call ended that brought no answer. */
interface Failure {
  name: string
  message: string
}

/** A call to a model. */
export interface TapedCall extends LoggedRequest {
  kind: 'call'
  model: string
  /** Real time from the request to its answer, of the try that succeeded. */
  latencyMs: number
  said?: Omit<Completion, 'realMs' | 'recorded'>
  failed?: Failure
}

interface TapedEmbedding {
  kind: 'embedding'
  model: string
  /** Hashes. */
  texts: string[]
  said?: Omit<Embedded, 'vectors' | 'recorded'> & { vectors: string[] }
  failed?: Failure
}

export type Taped = TapedCall | TapedEmbedding

/** All that one trial asked of models, in its order, with the texts by their hashes. */
export interface Tape {
  calls: Taped[]
  texts: Map<string, string>
  /** What the trial was given of earlier ones, by role; null: nobody has noted it. */
  given: Readonly<Record<string, Json>> | null
}

export const emptyTape = (): Tape => ({ calls: [], texts: new Map(), given: null })

/** What a text is called. */
export const hashOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

/** What a call asked, whoever asks. */
export const addressOf = (call: Taped): string =>
  hashOf(
    call.kind === 'embedding'
      ? JSON.stringify([call.model, call.texts])
      : JSON.stringify([
          call.model,
          call.messages.map(({ role, hash: text }) => [role, text]),
          call.tools,
          call.schema,
          ...(call.settings === undefined ? [] : [call.settings]),
        ]),
  )

/** How a call was answered, without what chance adds: tries in vain, and the names and times that an endpoint gives each answer. */
export function answerOf({ said, failed: failure }: Taped): object {
  if (said === undefined) return { failed: failure }
  const { retries: _retries, ...rest } = said
  return { said: { ...rest, provenance: undefined } }
}

/** The deck of one trial: what it plays from its tape, and records onto it. */
export type Deck = ReturnType<typeof openDeck>

/**
 * Answers from the tape: a request by what it says, the nth of the same words by the nth recording of them. What the tape
 * does not hold is asked of the model and recorded where `live`, and is a miss otherwise. Latency comes back as well.
 */
export function openDeck(tape: Tape, { live }: { live: boolean }) {
  const open = new Map<string, Taped[]>()
  for (const call of tape.calls) {
    const address = addressOf(call)
    open.set(address, [...(open.get(address) ?? []), call])
  }
  const recorded = tape.calls.filter((call) => call.kind === 'call')
  const hashes = new Map<string, string>()
  let asked = 0
  let added = 0
  let miss: RecordMiss | null = null

  function pool(text: string): string {
    const known = hashes.get(text) ?? hashOf(text)
    hashes.set(text, known)
    tape.texts.set(known, text)
    return known
  }

  /** The recorded call of these words whose turn it is. */
  const take = <T extends Taped>(call: T): T | undefined => {
    const found = open.get(addressOf(call))?.shift()
    return found !== undefined && isLike(found, call) ? found : undefined
  }

  /** Its place on the tape is that of its request, whenever the answer comes. */
  async function record<R>(call: Taped, ask: () => Promise<R>, keep: (answer: R) => void): Promise<R> {
    tape.calls.push(call)
    added++
    try {
      const answer = await ask()
      keep(answer)
      return answer
    } catch (error) {
      if (error instanceof Error && !(error instanceof RunStopped))
        call.failed = { name: error.name, message: error.message }
      throw error
    }
  }

  async function complete(chat: ChatModel, request: ChatRequest): Promise<Completion> {
    asked++
    const texts = { ...textsOf(request), ...(chat.settings !== undefined && { settings: chat.settings }) }
    const call: TapedCall = {
      kind: 'call',
      model: chat.name,
      messages: texts.messages.map(({ role, text }) => ({ role, hash: pool(text) })),
      tools: texts.tools === null ? null : pool(texts.tools),
      schema: texts.schema === null ? null : pool(texts.schema),
      ...(texts.settings !== undefined && { settings: texts.settings }),
      latencyMs: 0,
    }
    const found = take(call)
    if (found?.said !== undefined) return { ...found.said, realMs: found.latencyMs }
    if (found?.failed !== undefined) throw failed(found.failed)
    if (live)
      return record(
        call,
        () => chat.complete(request),
        ({ realMs, recorded: _recorded, ...said }) => Object.assign(call, { latencyMs: realMs, said }),
      )
    const log = { requests: recorded, texts: tape.texts }
    const missed = RecordMiss.of(asked, texts, log, nearest(call, recorded, asked - 1))
    miss ??= missed
    throw missed
  }

  return {
    tape,
    chat: (chat: ChatModel): ChatModel => rerouted(chat, complete),
    embeddings:
      (models: EmbeddingModels): EmbeddingModels =>
      (name) => ({
        name,
        async embed(texts) {
          const call: TapedEmbedding = { kind: 'embedding', model: name, texts: texts.map(pool) }
          const found = take(call)
          if (found?.said !== undefined) return { ...found.said, vectors: found.said.vectors.map(unpackVector) }
          if (found?.failed !== undefined) throw failed(found.failed)
          if (live)
            return record(
              call,
              () => models(name).embed(texts),
              ({ vectors, recorded: _recorded, ...said }) =>
                Object.assign(call, { said: { ...said, vectors: vectors.map(packVector) } }),
            )
          throw new InfrastructureError(
            `The recording does not hold the embeddings by "${name}" of what is asked now: ${JSON.stringify(texts[0])}.`,
          )
        },
      }),
    /** How many calls came onto the tape. */
    added: () => added,
    /** The first request that the tape does not hold; null while it held all. */
    miss: () => miss,
  }
}

const isLike = <T extends Taped>(found: Taped, asked: T): found is T => found.kind === asked.kind

/** As it ended then. What was no fault of the infrastructure is none now. */
function failed({ name, message }: Failure): Error {
  if (name === 'InfrastructureError') return new InfrastructureError(message)
  if (name === 'ContextOverflow') return new ContextOverflow(message)
  return Object.assign(new Error(message), { name })
}
