import type { Trace } from './record.js'
import type { MetricValue } from './trial.js'

/** A record spreads into one column per key (`model_calls.reasoning`). */
export type MetricResult = MetricValue | Record<string, number>

/** A measure of one trial, from its trace alone, so that a metric added later applies to old runs (docs/design.md#metrics). */
export interface Metric {
  name: string
  /** Raised whenever the same trace gives another value; '1' where absent. */
  version?: string
  unit: string
  better: 'lower' | 'higher' | 'neither'
  /** The definition, for the codebook. */
  summary: string
  /** A section of docs/design.md, of the thesis, or a paper. */
  source: string
  of(trace: Trace): MetricResult
}

/** Returns its argument: it is here for inference. */
export function defineMetric(metric: Metric): Metric {
  return metric
}
