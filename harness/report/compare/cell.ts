import type { Estimate, MetricComparison } from '../../contract/index.js'
import { bootstrapRatio } from '../../stats/bootstrap.js'
import { detectableRatio, mcnemarPower } from '../../stats/power.js'
import { mcnemar, pairedDifference } from '../../stats/proportion.js'
import type { PairedCells } from '../../stats/proportion.js'
import { mean } from '../../stats/summary.js'
import { wilcoxon } from '../../stats/wilcoxon.js'
import type { Column, ValuePair } from './pairs.js'

/**
 * The ratio of geometric means with a seeded cluster bootstrap, and Wilcoxon's signed ranks of the log ratios. Where an
 * amount is 0, both are of value + 1, and called so. An amount below 0 (a margin of safety) has signed ranks alone.
 */
function testAmount(pairs: readonly Both[], { confidence, resamples, margin }: TestOptions): Tested {
  const values = pairs.flatMap(({ base, candidate }) => [base, candidate])
  if (values.some((value) => value < 0)) {
    const p = wilcoxon(pairs.map(({ base, candidate }) => candidate - base))?.p ?? 1
    return { estimate: null, narrow: null, p, detectable: () => null }
  }
  const shift = values.includes(0) ? 1 : 0
  const shifted = pairs.map(({ seed, base, candidate }) => ({
    cluster: seed,
    base: base + shift,
    candidate: candidate + shift,
  }))
  const logs = shifted.map(({ base, candidate }) => Math.log(candidate / base))
  const ratioAt = (level: number) => bootstrapRatio(shifted, { seed: 'compare', resamples, confidence: level })
  const found = ratioAt(confidence)
  return {
    estimate:
      found === null
        ? null
        : { kind: shift === 0 ? 'ratio' : 'shifted', value: found.ratio, low: found.low, high: found.high },
    narrow: margin ? ratioAt(2 * confidence - 1) : null,
    p: wilcoxon(logs)?.p ?? 1,
    detectable: (alpha, power) => detectableRatio({ clusters: pairs.length, sd: deviation(logs), alpha, power }),
  }
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

/**
 * Newcombe's interval of the difference, and McNemar's exact mid-p. Rates that are averages of replicas are split
 * into cells by what both sides share (which only widens the interval), and tested by Wilcoxon's signed ranks.
 */
function testRate(pairs: readonly Both[], { confidence, margin }: TestOptions): Tested {
  const cells = cellsOf(pairs)
  const whole = Object.values(cells).every(Number.isInteger)
  const p = whole ? mcnemar(cells)?.midP : wilcoxon(pairs.map(({ base, candidate }) => candidate - base))?.p
  const interval = pairedDifference(cells, confidence)
  const noise = (2 * Math.min(cells.onlyBase, cells.onlyCandidate)) / pairs.length
  return {
    estimate:
      interval === null
        ? null
        : { kind: 'difference', value: interval.difference, low: interval.low, high: interval.high },
    narrow: margin ? pairedDifference(cells, 2 * confidence - 1) : null,
    p: p ?? 1,
    detectable: (alpha, power) => detectable({ pairs: pairs.length, noise, alpha, power }),
  }
}

/** `noise` is the share of scenarios that change to and fro whatever the net difference, which comes on top. */
function detectable(plan: { pairs: number; noise: number; alpha: number; power: number }): number | null {
  const { pairs, noise, alpha, power } = plan
  const isFound = (difference: number): boolean =>
    mcnemarPower({ pairs, difference, discordance: Math.min(1, noise + difference), alpha }) >= power
  if (!isFound(1)) return null
  let [below, above] = [0, 1]
  while (above - below > PRECISION) {
    const middle = (below + above) / 2
    if (isFound(middle)) above = middle
    else below = middle
  }
  return above
}

const PRECISION = 1e-4

function cellsOf(pairs: readonly Both[]): PairedCells {
  const cells = { both: 0, onlyBase: 0, onlyCandidate: 0, neither: 0 }
  for (const { base, candidate } of pairs) {
    cells.both += Math.min(base, candidate)
    cells.onlyBase += Math.max(0, base - candidate)
    cells.onlyCandidate += Math.max(0, candidate - base)
    cells.neither += 1 - Math.max(base, candidate)
  }
  return cells
}

export type { Estimate } from '../../contract/index.js'

/** What a test found, before families and margins. */
interface Tested {
  /** Null with too few scenarios for an interval. */
  estimate: Estimate | null
  /** Its interval at 1 − 2α: what a margin is held against (TOST). */
  narrow: { low: number; high: number } | null
  p: number
  /** The smallest difference or ratio that so many scenarios find with this α and power; null where it cannot be told. */
  detectable: (alpha: number, power: number) => number | null
}

interface TestOptions {
  confidence: number
  resamples: number
  /** Is the narrow interval wanted? It costs a bootstrap of its own. */
  margin: boolean
}

/** A pair of values, both present. */
interface Both {
  seed: string
  base: number
  candidate: number
}

/** One metric of one group: the pairs, and what a test says of them. */
export interface Cell extends Pick<
  MetricComparison,
  'column' | 'kind' | 'n' | 'missing' | 'changed' | 'base' | 'candidate'
> {
  /** Null where nothing changed, or no scenario has both values. */
  tested: Tested | null
}

export function cellOf({ name, kind, values }: Column, options: TestOptions): Cell {
  const both = values.filter((pair): pair is Both => pair.base !== null && pair.candidate !== null)
  const changed = values.filter(differs).length
  const moved = both.some(differs)
  return {
    column: name,
    kind,
    n: both.length,
    missing: values.length - both.length,
    changed,
    base: mean(both.map(({ base }) => base)),
    candidate: mean(both.map(({ candidate }) => candidate)),
    tested: moved ? (kind === 'rate' ? testRate : testAmount)(both, options) : null,
  }
}

const differs = ({ base, candidate }: ValuePair): boolean => base !== candidate
