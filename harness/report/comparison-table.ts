import type { Comparison, GroupComparison, MetricComparison } from '../compare/comparison.js'
import { isRegression } from '../compare/gate.js'
import { clean } from '../trace/text.js'
import { ABSENT, percent, quantity } from './format.js'
import type { Column, Table } from './table.js'

const left = (title: string): Column => ({ title, align: 'left', keep: 0 })
const right = (title: string, keep = 0): Column => ({ title, align: 'right', keep })

/** One group as a table: what `keep` chooses of its metrics, the confirmatory ones first. */
export function groupTable(
  comparison: Comparison,
  group: GroupComparison,
  keep: (metric: MetricComparison) => boolean,
): Table {
  const rank = ({ column, family }: MetricComparison): number =>
    family === 'confirmatory' ? comparison.confirmatory.indexOf(column) : comparison.confirmatory.length
  const metrics = group.metrics.filter(keep).toSorted((a, b) => rank(a) - rank(b))
  return {
    caption: `${clean(group.label)} · ${group.scenarios} scenarios`,
    simulated: group.model?.startsWith('sim:') === true,
    columns: [
      left('metric'),
      right('n', 2),
      right('base'),
      right('candidate'),
      right(`change [${confidence(comparison)}]`),
      right('p', 1),
      left('verdict'),
    ],
    rows: metrics.map((metric) => metricCells(metric)),
  }
}

export const confidence = ({ confidence: level }: Comparison): string => `${Number((level * 100).toPrecision(4))} %`

export function metricCells(metric: MetricComparison): string[] {
  return [
    metric.family === 'confirmatory' ? clean(metric.column) : `${clean(metric.column)} (exploratory)`,
    String(metric.n),
    shown(metric.base, metric),
    shown(metric.candidate, metric),
    changeText(metric),
    pText(metric.adjusted),
    verdictText(metric),
  ]
}

const shown = (value: number | null, { kind, unit }: MetricComparison): string =>
  kind === 'rate' ? percent(value) : quantity(value, unit)

export function changeText({ estimate }: MetricComparison): string {
  if (estimate === null) return ABSENT
  const { kind, value, low, high } = estimate
  if (kind === 'difference') return `${points(value)} pts [${points(low)}, ${points(high)}]`
  const digits = [value, low, high].every((bound) => bound > 0.9 && bound < 1.1) ? 3 : 2
  const [shownValue, ...bounds] = [value, low, high].map((number) => ratio(number, digits))
  return `×${shownValue} [${bounds.join(', ')}]${kind === 'shifted' ? ' of value + 1' : ''}`
}

function points(share: number): string {
  const value = Math.round(share * 1_000) / 10
  return `${value > 0 ? '+' : ''}${value === 0 ? 0 : value}`
}

const ratio = (value: number, digits = 2): string => (value < 10 ? value.toFixed(digits) : String(Math.round(value)))

function pText(p: number | null): string {
  if (p === null) return ABSENT
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/** `no evidence` says what would have been found, and `worse` whether it is more than the margin allows. */
export function verdictText(metric: MetricComparison): string {
  const { verdict, kind, detectable, scenariosNeeded, margin, beyondMargin } = metric
  if (verdict === 'no evidence') {
    if (scenariosNeeded !== null) return `no evidence: ${metric.n} of ${scenariosNeeded} scenarios needed`
    if (detectable === null) return verdict
    return `no evidence (${kind === 'rate' ? `${points(detectable).slice(1)} pts` : `×${ratio(detectable)}`} detectable)`
  }
  if (verdict === 'equivalent' && margin !== null) return `equivalent (margin ${marginText(kind, margin)})`
  if (verdict !== 'worse') return verdict
  if (!beyondMargin && margin !== null) return `worse, within the margin of ${marginText(kind, margin)}`
  return isRegression(metric) ? 'WORSE' : 'worse'
}

const marginText = (kind: MetricComparison['kind'], margin: number): string =>
  kind === 'rate' ? `${points(margin).slice(1)} pts` : `${Number((margin * 100).toPrecision(4))} %`

/** Is there anything to tell of a group? */
export const hasNews = ({ metrics, changes }: GroupComparison): boolean =>
  metrics.some(({ verdict }) => verdict !== 'unchanged') || (changes?.changed ?? 0) > 0
