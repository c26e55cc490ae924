import type { Trace } from './record.js'
import type { MetricValue } from './trial.js'

/** A record spreads into one column per key (`model_calls.reasoning`). */
export type MetricResult = MetricValue | Record<string, number>

/**
 * A measure of one trial, from its trace alone, so that a metric added later applies to old runs (docs/design.md#metrics).
 * CSV files, codebook, comparisons and requirements have all metrics; tables and charts those that say so in `shown`.
 */
export interface Metric {
  /** Lower-case letters, digits and underscores, the unit last where it is a time: `suspended_ms`. */
  name: string
  /** Raised whenever the same trace gives another value; '1' where absent. */
  version?: string
  /** `ms` is printed as seconds, `boolean` and `share` as a percentage, all else as a plain number. */
  unit: string
  better: 'lower' | 'higher' | 'neither'
  /** The definition, for the codebook. */
  summary: string
  /** A section of docs/design.md, of the thesis, or a paper. */
  source: string
  /**
   * How the values of a group's scenarios become one figure: their `mean` (the default); their `median`; the `share` of
   * scenarios whose value is true or above 0, with its interval; or the `count` of those.
   */
  summedUp?: 'mean' | 'median' | 'share' | 'count'
  shown?: Shown
  of(trace: Trace): MetricResult
}

/** Where a metric is shown, and what it is called there. */
export interface Shown {
  /** What stands above the column, and names the charts; `\n` breaks the line, `-\n` a word. */
  heading: string
  /** Columns and charts stand in this order; those of the house go from 20 to 120. */
  place: number
  /** It has a column in every table. Where a terminal is too narrow, the least important goes first, and 0 never. */
  importance?: number
  /** What the notes and the axes call it, where that is not the heading. */
  called?: string
  /** Of a count: with what (`a violation`). Else: which trials alone have a value (`solved`). */
  among?: string
  /** Metrics whose figures are added to this one, in column and charts; without one of them there is no figure. */
  plus?: readonly string[]
  /** Of a record: the key whose figure is shown. */
  part?: string
  /** A metric (or a part of one, `name.key`) whose figure stands behind this one in its cell, after a slash; the heading names both. */
  with?: string
  /** A metric without which there is no figure: its mean is 0 in the whole group, or it has none. */
  needs?: string
  /** It has no column where no group of the run has a value. */
  ifMeasured?: true
  /** A figure is marked `*` where its group has this metric, too: what is meant goes on there, unmeasured. */
  besides?: string
  /** `agents`: a mark for each agent of a case; `curve`: a line for each agent along whatever a run sweeps. */
  charts?: readonly ('agents' | 'curve')[]
  /** It is of those that `compare` watches where nobody names any; all others are exploratory. */
  confirmatory?: true
}

/** Returns its argument: it is here for inference. */
export const defineMetric = (metric: Metric): Metric => metric
