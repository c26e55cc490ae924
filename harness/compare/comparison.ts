import type { JsonObject, Metric } from '../define/index.js'
import type { Cell, Estimate } from './cell.js'
import type { Changes } from './changes.js'
import type { Side } from './side.js'
import type { Verdict } from './verdict.js'

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
