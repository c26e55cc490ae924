import type { Usage } from '../define/index.js'

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
  embed(texts: readonly string[]): Promise<Embedded>
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
