import { InfrastructureError } from '../define/index.js'
import type { RecordOf, Trace } from '../define/index.js'
import { unaskable } from './client.js'
import { unpackVector } from './embedding.js'
import type { Embedded, EmbeddingModels } from './embedding.js'

/** Embeddings as a trace holds them, request by request. What it does not hold comes from `live`, if there is one. */
export function recordedEmbeddings(trace: Trace, live?: EmbeddingModels): EmbeddingModels {
  const pooled = new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
  const open = new Map<string, RecordOf<'embedding'>[]>()
  for (const record of trace) {
    if (record.kind !== 'embedding') continue
    const key = embeddingKey(
      record.model,
      record.texts.map((hash) => pooled.get(hash) ?? ''),
    )
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
      const failed = trace.find((record) => record.kind === 'error' && record.message.startsWith(unaskable(name)))
      throw new InfrastructureError(
        failed?.kind === 'error'
          ? failed.message
          : `The trace does not hold the embeddings by "${name}" of what is asked now: ${JSON.stringify(texts[0])}.`,
      )
    },
  })
}

const embeddingKey = (model: string, texts: readonly string[]): string => JSON.stringify([model, ...texts])
