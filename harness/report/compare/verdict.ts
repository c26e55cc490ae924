import type { Estimate, Metric, MetricComparison, Verdict } from '../../contract/index.js'
import { FEWEST_CLUSTERS, bootstrapRatio } from '../../stats/bootstrap.js'
import { detectableDifference, detectableRatio } from '../../stats/power.js'
import { pairedDifference } from '../../stats/proportion.js'
import type { PairedCells } from '../../stats/proportion.js'
import { benjaminiHochberg, holm, mcnemar, wilcoxon } from '../../stats/significance.js'
import { mean } from '../../stats/summary.js'
import { VIOLATED, metricOf } from './pairs.js'
import type { Column, ValuePair } from './pairs.js'

/** One metric of one group: the pairs, and what a test says of them. */
export interface Cell extends Pick<
  MetricComparison,
  'column' | 'kind' | 'n' | 'missing' | 'changed' | 'base' | 'candidate'
> {
  /** Null where nothing changed, or no scenario has both values. */
  tested: Tested | null
}

/** What a test found, before families and margins. */
interface Test {
  /** Null where no test applies: of the rates of a simulated reader the interval alone is told. */
  p: number | null
  /** The smallest difference or ratio that so many scenarios find with this α and power; null where it cannot be told. */
  detectable: (alpha: number, power: number) => number | null
}

interface Tested extends Test {
  /** Null with too few scenarios for an interval. */
  estimate: Estimate | null
  /** Its interval at 1 − 2α: what a margin is held against (TOST). */
  narrow: Estimate | null
}

interface EstimateOptions {
  confidence: number
  /** Of the bootstrap. */
  seed: string
  resamples?: number | undefined
}

interface TestOptions extends EstimateOptions {
  /** Is the narrow interval wanted? It costs a bootstrap of its own. */
  margin: boolean
  /**
   * A simulated reader answers. By common draws its trials come in pairs, so that how many scenarios differ is a product
   * of the coupling, and is never tested.
   */
  coupled: boolean
}

/** A pair of values, both present. */
interface Both {
  seed: string
  base: number
  candidate: number
}

export function cellOf(column: Column, { margin, ...options }: TestOptions): Cell {
  const { name, kind, values } = column
  const both = complete(values)
  const narrow = { ...options, confidence: 2 * options.confidence - 1 }
  const test = (): Tested => ({
    ...(kind === 'rate' ? testRate(both, options.coupled) : testAmount(both)),
    estimate: estimateOf(column, options),
    narrow: margin ? estimateOf(column, narrow) : null,
  })
  return {
    column: name,
    kind,
    n: both.length,
    missing: values.length - both.length,
    changed: values.filter(differs).length,
    base: mean(both.map(({ base }) => base)),
    candidate: mean(both.map(({ candidate }) => candidate)),
    tested: both.some(differs) ? test() : null,
  }
}

const complete = (values: readonly ValuePair[]): Both[] =>
  values.filter((pair): pair is Both => pair.base !== null && pair.candidate !== null)

const differs = ({ base, candidate }: ValuePair): boolean => base !== candidate

/** How far the candidate of a column is from its base, over the scenarios with both values. */
export function estimateOf({ kind, values }: Column, options: EstimateOptions): Estimate | null {
  const both = complete(values)
  return kind === 'rate' ? estimateRate(cellsOf(both), options) : estimateAmount(both, options)
}

/**
 * The ratio of geometric means with a seeded cluster bootstrap. Where an amount is 0, both are of value + 1, and called so.
 * An amount below 0 (a margin of safety) has no ratio.
 */
function estimateAmount(pairs: readonly Both[], { confidence, seed, resamples }: EstimateOptions): Estimate | null {
  if (hasNegative(pairs)) return null
  const shift = shiftOf(pairs)
  const shifted = pairs.map((pair) => ({
    cluster: pair.seed,
    base: pair.base + shift,
    candidate: pair.candidate + shift,
  }))
  const found = bootstrapRatio(shifted, { seed, confidence, resamples })
  return found && { kind: shift === 0 ? 'ratio' : 'shifted', value: found.ratio, low: found.low, high: found.high }
}

const hasNegative = (pairs: readonly Both[]): boolean => pairs.some(({ base, candidate }) => base < 0 || candidate < 0)
const shiftOf = (pairs: readonly Both[]): number =>
  pairs.some(({ base, candidate }) => base === 0 || candidate === 0) ? 1 : 0

/** By Wilcoxon's signed ranks of the log ratios, or of the differences where an amount is below 0. */
function testAmount(pairs: readonly Both[]): Test {
  if (hasNegative(pairs)) return { p: wilcoxon(differencesOf(pairs)) ?? 1, detectable: () => null }
  const shift = shiftOf(pairs)
  const logs = pairs.map(({ base, candidate }) => Math.log((candidate + shift) / (base + shift)))
  return {
    p: wilcoxon(logs) ?? 1,
    detectable: (alpha, power) => detectableRatio({ clusters: pairs.length, sd: deviation(logs), alpha, power }),
  }
}

const differencesOf = (pairs: readonly Both[]): number[] => pairs.map(({ base, candidate }) => candidate - base)

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

/** With Newcombe's interval. */
function estimateRate(cells: PairedCells, { confidence }: EstimateOptions): Estimate | null {
  const interval = pairedDifference(cells, confidence)
  return interval && { kind: 'difference', value: interval.difference, low: interval.low, high: interval.high }
}

/**
 * McNemar's exact mid-p. Rates that are averages of replicas are split into cells by what both sides share (which only
 * widens the interval), and tested by Wilcoxon's signed ranks. Coupled ones are not tested at all.
 */
function testRate(pairs: readonly Both[], coupled: boolean): Test {
  const cells = cellsOf(pairs)
  const whole = Object.values(cells).every(Number.isInteger)
  const noise = (2 * Math.min(cells.onlyBase, cells.onlyCandidate)) / pairs.length
  return {
    p: coupled ? null : ((whole ? mcnemar(cells) : wilcoxon(differencesOf(pairs))) ?? 1),
    detectable: (alpha, power) => detectableDifference({ pairs: pairs.length, noise, alpha, power }),
  }
}

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

interface Rules {
  alpha: number
  /** After the correction of its family. */
  adjusted: number | null
  /** Are there scenarios enough for any verdict? */
  enough: boolean
  better: Metric['better']
  margin: number | null
}

/** A difference needs both: a corrected p of at most α, where there is one, and an interval without “no difference”. */
function verdictOf({ changed, tested, base, candidate }: Cell, rules: Rules): Verdict {
  if (changed === 0) return 'unchanged'
  if (tested === null) return 'no evidence'
  const { estimate, narrow } = tested
  if (estimate !== null && narrow !== null && rules.margin !== null) {
    if (isWithin(narrow.low, estimate.kind, rules.margin) && isWithin(narrow.high, estimate.kind, rules.margin))
      return 'equivalent'
  }
  const none = estimate?.kind === 'difference' ? 0 : 1
  const excluded = estimate === null || estimate.low > none || estimate.high < none
  const likely = tested.p === null ? rules.enough : rules.adjusted !== null && rules.adjusted <= rules.alpha
  if (!likely || !excluded) return 'no evidence'
  if (rules.better === 'neither') return 'differs'
  const rises = estimate === null ? Number(candidate) > Number(base) : estimate.value > none
  return rises === (rules.better === 'higher') ? 'better' : 'worse'
}

/** A margin is absolute for differences, relative for ratios: 0.1 allows from 1 ÷ 1.1 to 1.1. */
function isWithin(value: number, kind: Estimate['kind'], margin: number): boolean {
  return kind === 'difference' ? Math.abs(value) < margin : Math.abs(Math.log(value)) < Math.log1p(margin)
}

/** So many scenarios let the most extreme result reach its share of α; with fewer no test can. */
function scenariosNeeded(kind: Cell['kind'], share: number): number {
  const smallestP = kind === 'rate' ? share : share / 2
  return Math.max(kind === 'rate' ? 1 : FEWEST_CLUSTERS, Math.ceil(-Math.log2(smallestP)))
}

export type MetricFacts = Pick<Metric, 'name' | 'unit' | 'better' | 'shown'>

interface JudgeOptions {
  metrics: readonly MetricFacts[]
  confirmatory: readonly string[]
  confidence: number
  power: number | null
  marginOf: (column: string) => number | null
}

/**
 * The verdicts on the cells of all groups, which share both families. What did not change can raise no alarm, and is in
 * none (Tarone, Biometrics 46, 1990, pp. 515–522).
 */
export function judge(groups: readonly (readonly Cell[])[], options: JudgeOptions): MetricComparison[][] {
  const { confirmatory, confidence, power, marginOf } = options
  const tests = groups.flat().filter(({ tested }) => tested !== null && tested.p !== null)
  const family = tests.filter(({ column }) => confirmatory.includes(column))
  const others = tests.filter(({ column }) => !confirmatory.includes(column))
  const corrections = new Map([...corrected(family, holm), ...corrected(others, benjaminiHochberg)])
  const metrics = new Map(options.metrics.map((metric) => [metric.name, metric]))
  metrics.set(VIOLATED, { name: VIOLATED, unit: 'boolean', better: 'lower' })
  const judgeCell = (cell: Cell): MetricComparison => {
    const { tested, ...seen } = cell
    const { unit, better } = metrics.get(metricOf(cell.column)) ?? { unit: '', better: 'neither' }
    const isWatched = confirmatory.includes(cell.column)
    // The watched ones share the α; among exploratory ones each speaks for itself.
    const share = (1 - confidence) / (isWatched && tested?.p !== null ? Math.max(1, family.length) : 1)
    const adjusted = corrections.get(cell) ?? null
    const margin = marginOf(cell.column)
    const needed = scenariosNeeded(cell.kind, share)
    const estimate = tested?.estimate ?? null
    const within = margin !== null && estimate !== null && isWithin(estimate.value, estimate.kind, margin)
    return {
      ...seen,
      unit,
      better,
      family: isWatched ? 'confirmatory' : 'exploratory',
      verdict: verdictOf(cell, { alpha: 1 - confidence, adjusted, enough: cell.n >= needed, better, margin }),
      estimate,
      p: tested?.p ?? null,
      adjusted,
      margin,
      beyondMargin: tested !== null && !within,
      detectable: power === null ? null : (tested?.detectable(share, power) ?? null),
      scenariosNeeded: tested !== null && cell.n < needed ? needed : null,
    }
  }
  return groups.map((cells) => cells.map(judgeCell))
}

function corrected(family: readonly Cell[], correct: (ps: number[]) => number[]): [Cell, number][] {
  const ps = correct(family.map(({ tested }) => tested?.p ?? 1))
  return family.map((cell, index) => [cell, ps[index] ?? 1])
}
