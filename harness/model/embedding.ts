import type { OpenAI } from 'openai'
import { z } from 'zod'
import type { Usage } from '../contract/index.js'
import { connect, exchangeInProcess, inProcessClient } from './client.js'
import type { EndpointOptions, Exchange, Exchanged, Toll } from './client.js'
import { countTokens } from './tokens.js'

/** Numbers of single precision, so that a trace gives back the very same. */
export type Vector = readonly number[]

/** One vector per text, in their order. */
export interface Embedded {
  vectors: Vector[]
  usage: Usage
  /** Tries that brought nothing usable. */
  retries: number
  /** Of an answer that comes from a trace: what it cost then. */
  recorded?: { costUsd: number | null }
}

/** A model that turns texts into vectors. */
export interface EmbeddingModel {
  readonly name: string
  /** Throws `InfrastructureError` when no vectors could be had. */
  embed(texts: readonly string[], toll?: Toll): Promise<Embedded>
}

/** Opens a model by its name; one that a run did not foresee is an error. */
export type EmbeddingModels = (name: string) => EmbeddingModel

/** As a trace holds it: little-endian floats in base64. */
export function packVector(vector: Vector): string {
  const bytes = Buffer.alloc(4 * vector.length)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index)
  return bytes.toString('base64')
}

export function unpackVector(text: string): Vector {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(4 * index))
}

/** Servers of one's own take few at a time; hosted ones take more. */
const BATCH = 32

/** Asks over HTTP, by the rules of chat calls. `model`: what the endpoint calls it, where that is not its name. */
export function openEmbeddingEndpoint(options: EndpointOptions & { model?: string }): EmbeddingModel {
  const { client, ask } = connect(options)
  return inBatches(client, options.name, ask, options.model)
}

/** The same client on a `fetch` of this process. */
export const openEmbeddingInProcess = ({
  name,
  fetch: answer,
}: {
  name: string
  fetch: typeof fetch
}): EmbeddingModel => inBatches(inProcessClient(answer), name, (asked) => exchangeInProcess(name, asked))

/** What one try brought. A server that does not count tokens leaves that to us. */
type EmbeddingBody = Pick<Embedded, 'vectors'> & Pick<Usage, 'promptTokens' | 'counted'>
type Ask = (exchange: Exchange<EmbeddingBody>) => Promise<Exchanged<EmbeddingBody>>

function inBatches(client: OpenAI, name: string, ask: Ask, model = name): EmbeddingModel {
  return {
    name,
    async embed(texts, toll) {
      const vectors: Vector[] = []
      let [retries, promptTokens, counted] = [0, 0, false]
      for (let start = 0; start < texts.length; start += BATCH) {
        const input = texts.slice(start, start + BATCH)
        const answer = await ask({
          request: (signal) => client.embeddings.create({ model, input, encoding_format: 'float' }, { signal }),
          read: (body) => readEmbeddings(body, input),
          what: 'list of embeddings',
          toll,
        })
        vectors.push(...answer.value.vectors)
        retries += answer.retries
        promptTokens += answer.value.promptTokens
        counted ||= answer.value.counted
      }
      return { vectors, retries, usage: { promptTokens, completionTokens: 0, cachedTokens: 0, counted } }
    },
  }
}

const schema = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative() }).nullish().catch(null),
})

/** Null where it is not one vector for each text, all of one length. */
function readEmbeddings(body: unknown, texts: readonly string[]): EmbeddingBody | null {
  const { data: read } = schema.safeParse(body)
  if (read === undefined) return null
  const byIndex = new Map(read.data.map(({ index, embedding }) => [index, embedding.map(Math.fround)]))
  const vectors = texts.flatMap((_, index) => {
    const vector = byIndex.get(index)
    return vector === undefined ? [] : [vector]
  })
  if (vectors.length < texts.length || read.data.length !== texts.length) return null
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) return null
  const reported = read.usage?.prompt_tokens
  const promptTokens = reported ?? texts.reduce((sum, text) => sum + countTokens(text), 0)
  return { vectors, promptTokens, counted: reported === undefined }
}
