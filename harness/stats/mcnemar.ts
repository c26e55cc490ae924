import { binomialAtMost, binomialExactly } from './binomial.js'
import { requireCounts } from './domain.js'

/**
 * McNemar's test of paired proportions from the discordant pairs: the exact two-sided p (McNemar, Psychometrika 12,
 * 1947, conditional on the discordant pairs) and its mid-p (Fagerland, Lydersen and Laake, BMC Medical Research
 * Methodology 13:91, 2013), which is less conservative and the one to show. Null when no pair is discordant.
 */
export function mcnemar(discordant: {
  onlyBase: number
  onlyCandidate: number
}): { exact: number; midP: number } | null {
  const { onlyBase, onlyCandidate } = discordant
  requireCounts([onlyBase, onlyCandidate], 'Discordant pairs')
  const pairs = onlyBase + onlyCandidate
  if (pairs === 0) return null
  const fewer = Math.min(onlyBase, onlyCandidate)
  return { exact: Math.min(1, 2 * binomialAtMost(fewer, pairs, 0.5)), midP: mcnemarMidP(fewer, pairs) }
}

/** All outcomes further from balance, and half of those as far. */
export function mcnemarMidP(fewer: number, pairs: number): number {
  const asFar = binomialExactly(fewer, pairs, 0.5)
  return 2 * fewer === pairs ? 1 - asFar / 2 : 2 * binomialAtMost(fewer, pairs, 0.5) - asFar
}
