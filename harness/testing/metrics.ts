import type { Metric } from '../contract/index.js'

/** The metric of that name in a list. */
export function named(metrics: readonly Metric[], name: string): Metric {
  const found = metrics.find((metric) => metric.name === name)
  if (found === undefined) throw new Error(`No metric named "${name}".`)
  return found
}
