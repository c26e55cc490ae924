import type { JsonObject } from './json.js'
import type { Metric } from './metric.js'

/**
 * What is said of a metric. `unchanged`: every pair is identical. `equivalent`: surely within the margin. `better`,
 * `worse`: a difference that chance does not explain; `differs` where the metric has no better direction.
 * `no evidence`: neither; read it with the difference that could have been detected.
 */
export const VERDICTS = ['worse', 'better', 'differs', 'equivalent', 'no evidence', 'unchanged'] as const
export type Verdict = (typeof VERDICTS)[number]

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
  /** What a gate says of it; absent where there was none. */
  gate?: GateResult
}

export interface SideFacts {
  name: string
  kind: 'run' | 'baseline'
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
  /** Null between two models, and where it was not measured. */
  cost: Cost | null
  /** Null where trials are not deterministic. */
  changes: Changes | null
}

/** One metric of one group. */
export interface MetricComparison {
  column: string
  kind: 'rate' | 'amount'
  /** Scenarios with a value on both sides, and those without. */
  n: number
  missing: number
  /** Scenarios whose values differ, an absent one included. */
  changed: number
  /** Means over the n scenarios. */
  base: number | null
  candidate: number | null
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

/** How far the candidate is from the base. A rate: their difference. An amount: their ratio, `shifted` where zeros made it one of value + 1. */
export interface Estimate {
  kind: 'difference' | 'ratio' | 'shifted'
  value: number
  low: number
  high: number
}

/**
 * What the candidate costs, in billed tokens, as a share of what the base costs. `cheaper`, `dearer`: in every pricing, as
 * the interval says under the least favourable; `depends`: only in some; `no evidence`: in none; `too few`: no interval.
 */
export interface Cost {
  scenarios: number
  verdict: 'cheaper' | 'dearer' | 'depends' | 'no evidence' | 'too few'
  /** Under the pricings that favour the candidate most, and least. */
  lowest: CostRatio
  highest: CostRatio
}

/** Ratio of geometric means, with its interval, in a pricing: the weights of tokens, and how many of thinking are added to each call. */
export interface CostRatio {
  value: number
  /** Null with too few scenarios. */
  low: number | null
  high: number | null
  cached: number
  write: number
  output: number
  thinking: number
}

/** Exact differences of deterministic trials: with equal code there is none. */
export interface Changes {
  /** Trials that both sides have played. */
  trials: number
  changed: number
  /** Replicas that one side alone has. */
  unpaired: number
  /** Of the changed ones: how many differ in outcome, in what the agent did, and in which columns. */
  outcomes: number
  paths: number
  columns: Record<string, number>
  /** The changed trials by what came first, the most frequent first. */
  kinds: ChangeKind[]
}

export interface ChangeKind {
  /** “step 6: calls `x` where the base reads properties”, or what else differs. */
  what: string
  trials: string[]
}

/** Why a gate fails, if it does. */
export interface GateResult {
  failures: Failure[]
  /** Why the asked test cannot be made, where it cannot. */
  undecided: string | null
}

export interface Failure {
  group: string
  metric: string | null
  sentence: string
}
