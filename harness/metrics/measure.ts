import type { Metric, MetricValue, Trace } from '../define/index.js'

/** All metrics of a trace, flat: `name`, or `name.key` for records; sorted by the metrics' names. */
export function measure(trace: Trace, metrics: readonly Metric[]): Record<string, MetricValue> {
  const values: Record<string, MetricValue> = {}
  for (const metric of metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const result = metric.of(trace)
    if (typeof result !== 'object' || result === null) values[metric.name] = finite(metric.name, result)
    else for (const [key, value] of Object.entries(result)) values[`${metric.name}.${key}`] = finite(metric.name, value)
  }
  return values
}

/** JSON would write NaN and Infinity as null: a number that got lost. */
function finite(name: string, value: MetricValue): MetricValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`The metric "${name}" is ${value}.`)
  return value
}
