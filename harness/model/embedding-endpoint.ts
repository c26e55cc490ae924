import type { OpenAI } from 'openai'
import { z } from 'zod'
import type { Usage } from '../define/index.js'
import { createClient, exchange, exchangeInProcess, inProcessClient } from './client.js'
import type { EndpointOptions, Exchange, Exchanged } from './client.js'
import type { Embedded, EmbeddingModel, Vector } from './embedding.js'
import { countTokens } from './tokens.js'

/** Servers of one's own take few at a time; hosted ones take more. */
const BATCH = 32

/** Asks over HTTP, by the rules of chat calls. */
export function openEmbeddingEndpoint(options: EndpointOptions): EmbeddingModel {
  const client = createClient(options)
  return inBatches(options.name, (texts) => exchange(options, asking(client, options.name, texts)))
}

/** The same client on a `fetch` of this process. */
export function openEmbeddingInProcess(options: { name: string; fetch: typeof fetch }): EmbeddingModel {
  const { name } = options
  const client = inProcessClient(options.fetch)
  return inBatches(name, (texts) => exchangeInProcess(name, asking(client, name, texts)))
}

type Reply = Pick<Embedded, 'vectors' | 'usage'>

function asking(client: OpenAI, model: string, input: string[]): Exchange<Reply> {
  return {
    request: (signal) => client.embeddings.create({ model, input, encoding_format: 'float' }, { signal }),
    read: (body) => readEmbeddings(body, input),
    what: 'list of embeddings',
  }
}

function inBatches(name: string, ask: (texts: string[]) => Promise<Exchanged<Reply>>): EmbeddingModel {
  return {
    name,
    async embed(texts) {
      const vectors: Vector[] = []
      let [retries, promptTokens, counted] = [0, 0, false]
      for (let start = 0; start < texts.length; start += BATCH) {
        const answer = await ask(texts.slice(start, start + BATCH))
        vectors.push(...answer.value.vectors)
        retries += answer.retries
        promptTokens += answer.value.usage.promptTokens
        counted ||= answer.value.usage.counted
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
function readEmbeddings(body: unknown, texts: readonly string[]): Reply | null {
  const { data: read } = schema.safeParse(body)
  if (read === undefined) return null
  const byIndex = new Map(read.data.map(({ index, embedding }) => [index, embedding.map(Math.fround)]))
  const vectors = texts.flatMap((_, index) => {
    const vector = byIndex.get(index)
    return vector === undefined ? [] : [vector]
  })
  if (vectors.length < texts.length || read.data.length !== texts.length) return null
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) return null
  return { vectors, usage: usageOf(read.usage?.prompt_tokens, texts) }
}

const usageOf = (reported: number | undefined, texts: readonly string[]): Usage => ({
  promptTokens: reported ?? texts.reduce((sum, text) => sum + countTokens(text), 0),
  completionTokens: 0,
  cachedTokens: 0,
  counted: reported === undefined,
})
