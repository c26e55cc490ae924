import type { Cost, CostRatio, Group, Summary } from '../contract/index.js'
import { billAt } from '../metrics/billing.js'
import type { Spending, Tariff } from '../metrics/billing.js'
import { bootstrapRatio } from '../stats/bootstrap.js'
import type { RatioPair } from '../stats/bootstrap.js'
import { sumOf } from '../stats/summary.js'
import { thousands } from '../trace/text.js'

/** One scenario that both have played. */
export interface SpendingPair {
  seed: string
  base: Spending
  candidate: Spending
}

/** Who costs less, and whether in every pricing. Null without a scenario. */
export function costOver(pairs: readonly SpendingPair[], tariffs: readonly Tariff[]): Cost | null {
  const bills = tariffs
    .map((tariff) => {
      const billed = pairs.map(({ seed, base, candidate }) => ({
        cluster: seed,
        base: billAt(base, tariff),
        candidate: billAt(candidate, tariff),
      }))
      return { tariff, billed, ratio: sumOf(billed, ({ base, candidate }) => Math.log(candidate / base)) }
    })
    .toSorted((a, b) => a.ratio - b.ratio)
  const [lowest, highest] = [bills[0], bills.at(-1)].map((bill) => bill && ratioOf(bill))
  if (pairs.length === 0 || !lowest || !highest) return null
  return { scenarios: pairs.length, verdict: verdictOf(lowest, highest), lowest, highest }
}

function ratioOf({ billed, ratio, tariff }: { billed: RatioPair[]; ratio: number; tariff: Tariff }): CostRatio {
  const { low = null, high = null } = bootstrapRatio(billed, { seed: 'cost' }) ?? {}
  return { value: Math.exp(ratio / billed.length), low, high, ...tariff }
}

/** What one group of a run costs beside another. */
export function costBetween({ groups, costs }: Summary, base: Group, candidate: Group): Cost | null {
  const [one, other] = [groups.indexOf(base), groups.indexOf(candidate)]
  const found = costs.find((cost) => [cost.base, cost.candidate].every((index) => index === one || index === other))
  if (found === undefined) return null
  if (found.base === one) return found
  const [lowest, highest] = [found.highest, found.lowest].map(inverse)
  return lowest && highest ? { scenarios: found.scenarios, verdict: verdictOf(lowest, highest), lowest, highest } : null
}

const inverse = ({ value, low, high, ...tariff }: CostRatio): CostRatio => ({
  value: 1 / value,
  low: high === null ? null : 1 / high,
  high: low === null ? null : 1 / low,
  ...tariff,
})

function verdictOf(lowest: CostRatio, highest: CostRatio): Cost['verdict'] {
  if (lowest.low === null || lowest.high === null || highest.low === null || highest.high === null) return 'too few'
  if (highest.high < 1) return 'cheaper'
  if (lowest.low > 1) return 'dearer'
  return lowest.high < 1 || highest.low > 1 ? 'depends' : 'no evidence'
}

/** `×0.41 to ×0.62` */
const rangeOf = ({ lowest, highest }: Cost): string => `×${times(lowest.value)} to ×${times(highest.value)}`

/** For a cell: the range over all pricings, and what it comes to. */
export const shortCost = (cost: Cost): string => `${rangeOf(cost)}: ${SHORT[cost.verdict]}`

const SHORT: Record<Cost['verdict'], string> = {
  cheaper: 'cheaper',
  dearer: 'dearer',
  depends: 'depends on the pricing',
  'no evidence': 'not told apart',
  'too few': 'too few scenarios to tell',
}

const times = (value: number): string => value.toFixed(value < 10 ? 2 : 0)

/** Said of the candidate. */
export function costInWords(cost: Cost): string {
  const { verdict, lowest, highest } = cost
  if (verdict !== 'depends') return `${COST_IN_WORDS[verdict]} (${rangeOf(cost)})`
  return `${COST_IN_WORDS.depends}: ×${times(lowest.value)} (${tariffInWords(lowest)}) to ×${times(highest.value)} (${tariffInWords(highest)})`
}

function tariffInWords({ cached, write, output, thinking }: CostRatio): string {
  const weights = `cached ${cached}, written ${write}, output ${output}`
  return thinking === 0 ? weights : `${weights}, ${thousands(thinking)} thinking tokens per call`
}

export const COST_IN_WORDS: Record<Cost['verdict'], string> = {
  cheaper: 'cheaper in all pricings',
  dearer: 'dearer in all pricings',
  depends: 'depends on the pricing',
  'no evidence': 'no difference told in any pricing',
  'too few': 'too few scenarios to tell',
}

/** What is meant by all pricings. */
export const PRICINGS_IN_WORDS =
  'cached input costs 0.1 or 1, a written token 1 or 1.25, output 4 or 8, and for simulated readers with 0, 200 and 1 000 thinking tokens added to each call'
