import type { TrialLine } from '../../contract/index.js'

export { VERDICTS } from '../../contract/index.js'
export type { Comparison, GroupComparison, MetricComparison, SideFacts, Verdict } from '../../contract/index.js'

/** One of the two that are compared: a run or a baseline. */
export interface Side {
  /** How sentences call it. */
  name: string
  kind: 'run' | 'baseline'
  revision: string | null
  /** Versions of the metrics that made the lines; empty where the run did not record them. */
  graders: Readonly<Record<string, string>>
  /** Per metric: what is as good as no difference. Absolute for rates, relative for amounts. */
  margins: Readonly<Record<string, number>>
  lines: readonly TrialLine[]
  /** The files that a run took from outside. */
  plugins?: readonly string[]
}

/** `reaction_ms.total` is a column of the metric `reaction_ms`. */
export const metricOf = (column: string): string => column.split('.')[0] ?? column

/** The metrics that a side has measured. */
export function measured({ graders, lines }: Side): Set<string> {
  const recorded = Object.keys(graders)
  return new Set(recorded.length > 0 ? recorded : lines.flatMap(({ metrics }) => Object.keys(metrics).map(metricOf)))
}
