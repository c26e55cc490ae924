import { bootstrapRatio } from '../stats/bootstrap.js'
import { detectableRatio } from '../stats/ratio-power.js'
import { wilcoxon } from '../stats/wilcoxon.js'
import type { Both, Tested, TestOptions } from './cell.js'

/**
 * The ratio of geometric means with a seeded cluster bootstrap, and Wilcoxon's signed ranks of the log ratios. Where an
 * amount is 0, both are of value + 1, and called so. An amount below 0 (a margin of safety) has signed ranks alone.
 */
export function testAmount(pairs: readonly Both[], { confidence, resamples, margin }: TestOptions): Tested {
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
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}
