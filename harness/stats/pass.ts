import { requireCounts } from './domain.js'

/** How many replicas of one scenario there were, and how many passed. */
export interface PassCount {
  n: number
  passed: number
}

/**
 * pass^k: the chance that k replicas of a scenario all pass, the mean of C(c, k) ÷ C(n, k) over scenarios (Yao et al.,
 * τ-bench, arXiv 2406.12045, 2024). Null when any scenario has fewer than k replicas, or there is none.
 */
export function passAll(counts: readonly PassCount[], k: number): number | null {
  return meanChance(counts, k, ({ n, passed }) => allOf(passed, n, k))
}

/**
 * pass@k: the chance that one of k replicas passes, the mean of 1 − C(n − c, k) ÷ C(n, k) (Chen et al., Evaluating Large
 * Language Models Trained on Code, arXiv 2107.03374, 2021, equation 1). Null as above.
 */
export function passAny(counts: readonly PassCount[], k: number): number | null {
  return meanChance(counts, k, ({ n, passed }) => 1 - allOf(n - passed, n, k))
}

function meanChance(counts: readonly PassCount[], k: number, chance: (count: PassCount) => number): number | null {
  requireCounts([k, ...counts.flatMap(({ n, passed }) => [n, passed, n - passed])], 'A number of replicas')
  if (k === 0) throw new RangeError('Of 0 replicas nothing can be said.')
  if (counts.length === 0 || counts.some(({ n }) => n < k)) return null
  return counts.reduce((sum, count) => sum + chance(count), 0) / counts.length
}

/** C(some, k) ÷ C(n, k) as a product, which never overflows. */
function allOf(some: number, n: number, k: number): number {
  let chance = 1
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, some - drawn) / (n - drawn)
  return chance
}
