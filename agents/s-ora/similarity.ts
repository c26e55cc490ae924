/**
 * How alike two texts are: (cos + 1) / 2 over their word counts, as vector stores state it (thesis, Listing 7.5). Counts
 * are never negative, so 0.5 is nothing in common, and the prototype's threshold of 0.6 a cosine of 0.2.
 */
export function similarity(one: string, other: string): number {
  const [a, b] = [countsOf(one), countsOf(other)]
  let dot = 0
  for (const [word, count] of a) dot += count * (b.get(word) ?? 0)
  const length = Math.sqrt(squares(a) * squares(b))
  return ((length === 0 ? 0 : dot / length) + 1) / 2
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function squares(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}
