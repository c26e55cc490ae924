import { mcnemarPower } from '../stats/mcnemar-power.js'
import { mcnemar } from '../stats/mcnemar.js'
import { pairedDifference } from '../stats/paired-difference.js'
import type { PairedCells } from '../stats/paired-difference.js'
import { wilcoxon } from '../stats/wilcoxon.js'
import type { Both, Tested, TestOptions } from './cell.js'

/**
 * Newcombe's interval of the difference, and McNemar's exact mid-p. Rates that are averages of replicas are split
 * into cells by what both sides share (which only widens the interval), and tested by Wilcoxon's signed ranks.
 */
export function testRate(pairs: readonly Both[], { confidence, margin }: TestOptions): Tested {
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
