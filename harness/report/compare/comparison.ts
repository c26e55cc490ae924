import type { JsonObject, Metric, TrialLine } from '../../contract/index.js'
import type { Cell, Estimate } from './cell.js'
import type { Changes } from './changes.js'

/**
 * What is said of a metric. `unchanged`: every pair is identical. `equivalent`: surely within the margin. `better`,
 * `worse`: a difference that chance does not explain; `differs` where the metric has no better direction.
 * `no evidence`: neither; read it with the difference that could have been detected.
 */
export const VERDICTS = ['worse', 'better', 'differs', 'equivalent', 'no evidence', 'unchanged'] as const
export type Verdict = (typeof VERDICTS)[number]

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
}

/** `reaction_ms.total` is a column of the metric `reaction_ms`. */
export const metricOf = (column: string): string => column.split('.')[0] ?? column

/** The metrics that a side has measured. */
export function measured({ graders, lines }: Side): Set<string> {
  const recorded = Object.keys(graders)
  return new Set(recorded.length > 0 ? recorded : lines.flatMap(({ metrics }) => Object.keys(metrics).map(metricOf)))
}

/** What `compare` found: data, from which the reporters speak. */
export interface Comparison {
  version: 1
  base: SideFacts
  candidate: SideFacts
  confidence: number
  power: number | null
  confirmatory: string[]
  groups: GroupComparison[]
  /** Labels of groups that one side alone has. */
  onlyBase: string[]
  onlyCandidate: string[]
  notes: string[]
  /** Metrics that one side alone has measured: not compared. */
  measuredOnce: { onlyBase: string[]; onlyCandidate: string[] }
}

export interface SideFacts {
  name: string
  kind: Side['kind']
  revision: string | null
  trials: number
}

export interface GroupComparison {
  label: string
  environment: { name: string; version: string; params: JsonObject }
  agent: { name: string; baseVersion: string; version: string; params: JsonObject }
  model: string | null
  thinking: string
  /** Compared ones; the others have only one side. */
  scenarios: number
  onlyBase: number
  onlyCandidate: number
  infrastructureErrors: { base: number; candidate: number }
  metrics: MetricComparison[]
  /** Null where trials are not deterministic. */
  changes: Changes | null
}

export interface MetricComparison extends Omit<Cell, 'tested'> {
  unit: string
  better: Metric['better']
  family: 'confirmatory' | 'exploratory'
  verdict: Verdict
  estimate: Estimate | null
  p: number | null
  /** By Holm in the confirmatory family, by Benjamini and Hochberg among the exploratory ones. */
  adjusted: number | null
  margin: number | null
  /** Is the estimate further from no difference than the margin (0 where none is stated)? */
  beyondMargin: boolean
  /** The difference (rates) or ratio (amounts) that would have been found with the stated power. */
  detectable: number | null
  /** So many scenarios are needed for any verdict; null where there are enough. */
  scenariosNeeded: number | null
}
