import type { Metric } from '../../contract/index.js'
import { FEWEST_CLUSTERS } from '../../stats/bootstrap.js'
import { benjaminiHochberg, holm } from '../../stats/significance.js'
import type { Cell, Estimate } from './cell.js'
import { metricOf } from './comparison.js'
import type { MetricComparison, Verdict } from './comparison.js'
import { VIOLATED } from './pairs.js'

interface Rules {
  alpha: number
  /** After the correction of its family. */
  adjusted: number | null
  better: Metric['better']
  margin: number | null
}

/** A difference needs both: a corrected p of at most α, and an interval without “no difference”. */
function verdictOf({ changed, tested, base, candidate }: Cell, rules: Rules): Verdict {
  if (changed === 0) return 'unchanged'
  if (tested === null || rules.adjusted === null) return 'no evidence'
  const { estimate, narrow } = tested
  if (estimate !== null && narrow !== null && rules.margin !== null) {
    if (isWithin(narrow.low, estimate.kind, rules.margin) && isWithin(narrow.high, estimate.kind, rules.margin))
      return 'equivalent'
  }
  const none = estimate?.kind === 'difference' ? 0 : 1
  const excluded = estimate === null || estimate.low > none || estimate.high < none
  if (rules.adjusted > rules.alpha || !excluded) return 'no evidence'
  if (rules.better === 'neither') return 'differs'
  const rises = estimate === null ? Number(candidate) > Number(base) : estimate.value > none
  return rises === (rules.better === 'higher') ? 'better' : 'worse'
}

/** A margin is absolute for differences, relative for ratios: 0.1 allows from 1 ÷ 1.1 to 1.1. */
function isWithin(value: number, kind: Estimate['kind'], margin: number): boolean {
  return kind === 'difference' ? Math.abs(value) < margin : Math.abs(Math.log(value)) < Math.log1p(margin)
}

/** So many scenarios let the most extreme result of a family of that size reach α; with fewer no test can. */
function scenariosNeeded(kind: Cell['kind'], family: number, alpha: number): number {
  const smallestP = kind === 'rate' ? alpha / family : alpha / (2 * family)
  return Math.max(kind === 'rate' ? 1 : FEWEST_CLUSTERS, Math.ceil(-Math.log2(smallestP)))
}

export type MetricFacts = Pick<Metric, 'name' | 'unit' | 'better'>

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
  const { confirmatory } = options
  const tested = groups.flat().filter((cell) => cell.tested !== null)
  const family = tested.filter(({ column }) => confirmatory.includes(column))
  const others = tested.filter(({ column }) => !confirmatory.includes(column))
  const adjusted = new Map([...corrected(family, holm), ...corrected(others, benjaminiHochberg)])
  const metrics = new Map(options.metrics.map((metric) => [metric.name, metric]))
  metrics.set(VIOLATED, { name: VIOLATED, unit: 'boolean', better: 'lower' })
  return groups.map((cells) =>
    cells.map((cell) => {
      const inFamily = confirmatory.includes(cell.column)
      return judgeCell(cell, {
        metric: metrics.get(metricOf(cell.column)) ?? { name: cell.column, unit: '', better: 'neither' },
        family: inFamily ? 'confirmatory' : 'exploratory',
        tests: inFamily ? Math.max(1, family.length) : 1,
        adjusted: adjusted.get(cell) ?? null,
        options,
      })
    }),
  )
}

function corrected(family: readonly Cell[], correct: (ps: number[]) => number[]): [Cell, number][] {
  const ps = correct(family.map(({ tested }) => tested?.p ?? 1))
  return family.map((cell, index) => [cell, ps[index] ?? 1])
}

interface Place {
  metric: MetricFacts
  family: MetricComparison['family']
  /** How many tests share the α; among exploratory ones each speaks for itself. */
  tests: number
  adjusted: number | null
  options: JudgeOptions
}

function judgeCell(cell: Cell, { metric, family, tests, adjusted, options }: Place): MetricComparison {
  const alpha = 1 - options.confidence
  const margin = options.marginOf(cell.column)
  const needed = scenariosNeeded(cell.kind, tests, alpha)
  const { tested, ...seen } = cell
  const estimate = tested?.estimate ?? null
  const within = margin !== null && estimate !== null && isWithin(estimate.value, estimate.kind, margin)
  return {
    ...seen,
    unit: metric.unit,
    better: metric.better,
    family,
    verdict: verdictOf(cell, { alpha, adjusted, better: metric.better, margin }),
    estimate,
    p: tested?.p ?? null,
    adjusted,
    margin,
    beyondMargin: tested !== null && !within,
    detectable: options.power === null ? null : (tested?.detectable(alpha / tests, options.power) ?? null),
    scenariosNeeded: tested !== null && cell.n < needed ? needed : null,
  }
}
