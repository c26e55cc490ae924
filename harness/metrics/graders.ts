import type { Metric } from '../define/index.js'

/** Versions of metrics by name: runs graded by others are not comparable. */
export const gradersOf = (metrics: readonly Metric[]): Record<string, string> =>
  Object.fromEntries(metrics.map(({ name, version = '1' }) => [name, version]))
