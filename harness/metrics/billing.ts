import { PRICINGS, billed } from '../model/prices.js'
import type { Pricing } from '../model/prices.js'

/** What a trial used, as sums over its calls; or the means of such sums, since a bill is linear in them. */
export interface Spending {
  calls: number
  promptTokens: number
  cachedTokens: number
  /** Absent where an endpoint does not tell. */
  cacheWriteTokens?: number
  completionTokens: number
}

/** A pricing, and how many completion tokens of reasoning each call has beside those that were counted. */
export interface Tariff extends Pricing {
  thinking: number
}

/** The metrics from which a bill can be made out anew. */
export const SPENT = {
  calls: 'model_calls',
  promptTokens: 'prompt_tokens',
  cachedTokens: 'cached_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  completionTokens: 'completion_tokens',
} as const

/** By `figureOf` a metric. Null without a call, and for runs that did not measure what is needed. */
export function spendingOf(figureOf: (metric: string) => number | null): Spending | null {
  const [calls, promptTokens, cachedTokens] = [SPENT.calls, SPENT.promptTokens, SPENT.cachedTokens].map(figureOf)
  const [completionTokens, written] = [SPENT.completionTokens, SPENT.cacheWriteTokens].map(figureOf)
  if (calls == null || calls === 0 || promptTokens == null || cachedTokens == null || completionTokens == null)
    return null
  return { calls, promptTokens, cachedTokens, completionTokens, ...(written != null && { cacheWriteTokens: written }) }
}

const THINKING = [0, 200, 1_000]

/**
 * Every pricing under which a statement about costs has to hold. The answers of a simulated model have authored lengths:
 * with those of its thinking policy, or more, reasoning tokens in each. Those of a real one are what they are.
 * The trials are not played again: that longer thoughts would let the world move on is another question.
 */
export function tariffsFor(model: string, thinking: string): Tariff[] {
  const addedTokens = Number(/\+(\d+)$/.exec(thinking)?.[1] ?? 0)
  const added = model.startsWith('sim:') ? THINKING.filter((tokens) => tokens >= addedTokens) : [addedTokens]
  return added.flatMap((tokens) => PRICINGS.map((pricing) => ({ ...pricing, thinking: tokens - addedTokens })))
}

/** In fresh prompt tokens. */
export const billAt = ({ calls, completionTokens, ...spending }: Spending, { thinking, ...pricing }: Tariff): number =>
  billed({ ...spending, completionTokens: completionTokens + calls * thinking }, pricing)
