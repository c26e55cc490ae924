import { z } from 'zod'

/** Kept as 32-bit floats, in which endpoints give them: shorter than decimals by half, and equal when they come back. */
export const vectorsSchema = z.object({ model: z.string(), texts: z.record(z.string(), z.base64()) })
export type Vectors = z.output<typeof vectorsSchema>

/** More are not kept: the oldest go first. */
const KEPT = 500

export interface VectorStore {
  /** Those of the texts, of which only new ones are asked for. */
  of(texts: readonly string[], ask: (texts: string[]) => Promise<(readonly number[])[]>): Promise<(readonly number[])[]>
  all(): Vectors
}

/** A vector belongs to the text that it was made of, by one model: another text, as a changed summary is, has none yet. */
export function createVectors(model: string, earlier?: Vectors): VectorStore {
  const known = new Map(earlier?.model === model ? Object.entries(earlier.texts) : [])
  return {
    async of(texts, ask) {
      const missing = [...new Set(texts)].filter((text) => !known.has(text))
      const asked = missing.length === 0 ? [] : await ask(missing)
      for (const [index, text] of missing.entries()) known.set(text, packed(asked[index] ?? []))
      const found = texts.map((text) => unpacked(known.get(text) ?? ''))
      for (const text of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) known.delete(text)
      return found
    },
    all: () => ({ model, texts: Object.fromEntries(known) }),
  }
}

const packed = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')

function unpacked(text: string): number[] {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  return [...new Float32Array(bytes.buffer)]
}
