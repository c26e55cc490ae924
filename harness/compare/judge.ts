import type { Metric } from '../define/index.js'
import { benjaminiHochberg, holm } from '../stats/adjust.js'
import type { Cell } from './cell.js'
import type { MetricComparison } from './comparison.js'
import { VIOLATED } from './pairs.js'
import { metricOf } from './side.js'
import { isWithin, scenariosNeeded, verdictOf } from './verdict.js'

export type MetricFacts = Pick<Metric, 'name' | 'unit' | 'better'>

export interface JudgeOptions {
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
