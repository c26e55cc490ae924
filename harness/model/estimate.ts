import { costOf, PRICES_AS_OF } from './prices.js'

/** What a run of one model may come to, for the question before the first real call. */
export interface Estimate {
  calls: number
  promptTokens: number
  completionTokens: number
  /** Null where the price is not known. */
  costUsd: number | null
  sentence: string
}

/** Upper figures when given limits, expected ones when given means: it only multiplies. */
export function estimateRun(plan: {
  model: string
  trials: number
  callsPerTrial: number
  promptTokensPerCall: number
  completionTokensPerCall: number
}): Estimate {
  const calls = Math.ceil(plan.trials * plan.callsPerTrial)
  const promptTokens = Math.ceil(calls * plan.promptTokensPerCall)
  const completionTokens = Math.ceil(calls * plan.completionTokensPerCall)
  // Caching can only make it cheaper.
  const costUsd = costOf(plan.model, { promptTokens, completionTokens, cachedTokens: 0 })
  const cost =
    costUsd === null
      ? 'its price is not known here'
      : `about ${costUsd.toFixed(2)} USD at the prices of ${PRICES_AS_OF} (check before relying)`
  const sentence =
    `${plan.model}: ${grouped(plan.trials)} ${plan.trials === 1 ? 'trial' : 'trials'}, about ${grouped(calls)} calls with ` +
    `${grouped(promptTokens)} prompt and ${grouped(completionTokens)} completion tokens; ${cost}.`
  return { calls, promptTokens, completionTokens, costUsd, sentence }
}

const grouped = (figure: number): string => String(figure).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ')
