import type { ModelPrice, Usage } from '../contract/index.js'

/** USD per million tokens. `cached` is the price of prompt tokens that the endpoint had cached. */
interface Price {
  prompt: number
  cached: number
  completion: number
}

/** The day these were true of api.openai.com, standard tier. Check before relying on a cost. */
export const PRICES_AS_OF = '2025-09-01'

/** By exact name: a dated snapshot may cost something else. Other endpoints that use one of these names have prices of their own. */
const PRICES: Record<string, Price> = {
  'gpt-4o': { prompt: 2.5, cached: 1.25, completion: 10 },
  'gpt-4o-mini': { prompt: 0.15, cached: 0.075, completion: 0.6 },
  'gpt-4.1': { prompt: 2, cached: 0.5, completion: 8 },
  'gpt-4.1-mini': { prompt: 0.4, cached: 0.1, completion: 1.6 },
  'gpt-4.1-nano': { prompt: 0.1, cached: 0.025, completion: 0.4 },
  o3: { prompt: 2, cached: 0.5, completion: 8 },
  'o4-mini': { prompt: 1.1, cached: 0.275, completion: 4.4 },
  'gpt-5': { prompt: 1.25, cached: 0.125, completion: 10 },
  'gpt-5-mini': { prompt: 0.25, cached: 0.025, completion: 2 },
  'gpt-5-nano': { prompt: 0.05, cached: 0.005, completion: 0.4 },
  'text-embedding-3-small': { prompt: 0.02, cached: 0.02, completion: 0 },
  'text-embedding-3-large': { prompt: 0.13, cached: 0.13, completion: 0 },
  'text-embedding-ada-002': { prompt: 0.1, cached: 0.1, completion: 0 },
}

/** `openai:gpt-4o-mini?temperature=0` costs what `gpt-4o-mini` costs; of other presets no price is known. */
function priceOf(model: string): Price | undefined {
  const name = model.replace(/^openai:/, '').replace(/\?.*$/, '')
  return Object.hasOwn(PRICES, name) ? PRICES[name] : undefined
}

const pricedAs = ({ input, cachedInput = input, output }: ModelPrice): Price => ({
  prompt: input,
  cached: cachedInput,
  completion: output,
})

/** In USD; null where the price is not known, as for every simulated model. Never 0 for want of knowledge. */
export function costOf(
  model: string,
  usage: Pick<Usage, 'promptTokens' | 'cachedTokens' | 'completionTokens'>,
  stated?: ModelPrice,
): number | null {
  const price = stated === undefined ? priceOf(model) : pricedAs(stated)
  if (price === undefined) return null
  const cached = Math.min(usage.cachedTokens, usage.promptTokens)
  const micros =
    (usage.promptTokens - cached) * price.prompt + cached * price.cached + usage.completionTokens * price.completion
  return micros / 1_000_000
}

/** What tokens cost, in fresh prompt tokens. `write` is for those that are put into the endpoint's cache. */
export interface Pricing {
  cached: number
  write: number
  output: number
}

/** Where no price is known: what most endpoints ask, between the extremes of `PRICINGS`. */
export const DEFAULT_PRICING: Pricing = { cached: 0.1, write: 1, output: 4 }

/** With a cache and without one, with writes free and dear, with output cheap and dear: who is said to cost less costs less in all of them. */
export const PRICINGS: readonly Pricing[] = [0.1, 1].flatMap((cached) =>
  [1, 1.25].flatMap((write) => [4, 8].map((output) => ({ cached, write, output }))),
)

/** The default with the model's own price of output, where one is known. */
export function pricingOf(model: string): Pricing {
  const price = priceOf(model)
  return price === undefined ? DEFAULT_PRICING : { ...DEFAULT_PRICING, output: price.completion / price.prompt }
}

/**
 * Usage in fresh prompt tokens. Sums of usages may be given as well. Where no endpoint tells what it put into its cache,
 * that is all that was fresh.
 */
export function billed(usage: Omit<Usage, 'counted'>, { cached, write, output }: Pricing): number {
  const { promptTokens, cachedTokens, completionTokens } = usage
  const fresh = promptTokens - cachedTokens
  const written = usage.cacheWriteTokens ?? fresh
  return fresh + (write - 1) * written + cached * cachedTokens + output * completionTokens
}
