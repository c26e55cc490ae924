import { hash } from 'node:crypto'
import { z } from 'zod'
import { countTokens } from '../tokens.js'
import { wordsOf } from './words.js'

/** The one embedding of this program: the content words of a text, hashed. It knows no meaning and no likeness of words. */
export const SIMULATED_EMBEDDING = 'sim:words'
const DIMENSIONS = 256

export const embeddingRequestSchema = z.object({
  model: z.literal(SIMULATED_EMBEDDING),
  input: z.array(z.string()).min(1),
})

/** The body of an answer, as endpoints give it. */
export function embeddings({ model, input }: z.output<typeof embeddingRequestSchema>): object {
  const tokens = input.reduce((sum, text) => sum + countTokens(text), 0)
  return {
    object: 'list',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** Of length 1. Each word adds to one dimension, or takes from it; of a text without any the whole is its one word. */
function embed(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  const words = [...wordsOf(text)]
  for (const word of words.length === 0 ? [text] : words) {
    const digest = hash('sha256', word, 'buffer')
    const at = digest.readUInt16LE(0) % DIMENSIONS
    vector[at] = (vector[at] ?? 0) + (digest.readUInt8(2) % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  // Words that cancel each other out leave nothing to compare.
  return length === 0 ? vector : vector.map((value) => value / length)
}
