/** How alike texts are to one, each as (cos + 1) / 2, as vector stores state it (thesis, Listing 7.5). */
export type Likeness = (text: string, others: readonly string[]) => Promise<number[]>

/** The words of English that nearly every sentence has: to share them is no likeness. */
const FUNCTION_WORDS = new Set(
  `a an the this that these those and or but nor so if then else than as while when until unless once because of to in on
  at by for with from into onto over under out off up down about it its is are was were be been being am do does did
  done has have had having will would shall should can could may might must not no only all any each every both some such
  same other there here i you he she we they me him her us them my your his our their who what which whose where how why
  please now just also too very more most less least own`.split(/\s+/),
)

/**
 * By content words alone, and by no model. Counts are never negative, so 0.5 is nothing in common, and the prototype's
 * threshold of 0.6 a cosine of 0.2.
 */
export function lexicalSimilarity(one: string, other: string): number {
  const [a, b] = [countsOf(one), countsOf(other)]
  let dot = 0
  for (const [word, count] of a) dot += count * (b.get(word) ?? 0)
  return scaled(dot, squares(a.values()) * squares(b.values()))
}

export const lexicalLikeness: Likeness = (text, others) =>
  Promise.resolve(others.map((other) => lexicalSimilarity(text, other)))

export function byVectors(embed: (texts: string[]) => Promise<(readonly number[])[]>): Likeness {
  return async (text, others) => {
    const [one = [], ...rest] = await embed([text, ...others])
    return rest.map((other) => vectorSimilarity(one, other))
  }
}

/** Of two vectors of a model, from 0 to 1. What has no direction is like nothing: 0.5. */
export function vectorSimilarity(one: readonly number[], other: readonly number[]): number {
  let dot = 0
  for (const [index, value] of one.entries()) dot += value * (other[index] ?? 0)
  return scaled(dot, squares(one) * squares(other))
}

const scaled = (dot: number, squared: number): number => ((squared === 0 ? 0 : dot / Math.sqrt(squared)) + 1) / 2

/** A text of nothing but function words is compared by these. */
function countsOf(text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const content = words.filter((word) => !FUNCTION_WORDS.has(word))
  const counts = new Map<string, number>()
  for (const word of content.length === 0 ? words : content) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function squares(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value * value
  return sum
}
