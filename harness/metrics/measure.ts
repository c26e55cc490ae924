import type { Metric, MetricValue, Trace } from '../contract/index.js'

/** What most declarations of this room say alike: the unit, the better direction, and where the metric is defined. */
export function measuredIn(unit: string, better: Metric['better'], source = 'docs/design.md#metrics') {
  return { unit, better, source }
}

/** All metrics of a trace, flat: `name`, or `name.key` for records; sorted by the metrics' names. */
export function measure(trace: Trace, metrics: readonly Metric[]): Record<string, MetricValue> {
  const values: Record<string, MetricValue> = {}
  for (const metric of byName(metrics)) {
    const result = metric.of(trace)
    if (typeof result !== 'object' || result === null) values[metric.name] = finite(metric.name, result)
    else for (const [key, value] of Object.entries(result)) values[`${metric.name}.${key}`] = finite(metric.name, value)
  }
  return values
}

const sorted = new WeakMap<readonly Metric[], readonly Metric[]>()

/** Sorted once: a run measures all its trials by the same metrics. */
function byName(metrics: readonly Metric[]): readonly Metric[] {
  const known = sorted.get(metrics) ?? metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  sorted.set(metrics, known)
  return known
}

/** JSON would write NaN and Infinity as null: a number that got lost. */
function finite(name: string, value: MetricValue): MetricValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`The metric "${name}" is ${value}.`)
  return value
}

/** What every metric means, as a Markdown table made from the declarations. */
export function codebook(metrics: readonly Metric[]): string {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, unit, better, summary, source }) => [`\`${name}\``, unit, better, summary, source])
  return [['name', 'unit', 'better', 'definition', 'source'], ['---', '---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('')
}

/** Versions of metrics by name: runs graded by others are not comparable. */
export const gradersOf = (metrics: readonly Metric[]): Record<string, string> =>
  Object.fromEntries(metrics.map(({ name, version = '1' }) => [name, version]))
