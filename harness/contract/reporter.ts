import type { Comparison, Cost } from './comparison.js'
import type { JsonObject } from './json.js'
import type { Metric } from './metric.js'
import type { Trace } from './record.js'
import type { Outcome, TrialLine } from './trial.js'

/** Turns a run, or the comparison of two, into the text of a file. One per file `EXTENSION.reporter.ts`, found by its name. */
export interface Reporter {
  /** The extension of the files that it writes, without the dot. */
  name: string
  /** One line for the help. */
  summary: string
  run?(input: ReportInput): string | Promise<string>
  comparison?(input: { comparison: Comparison }): string | Promise<string>
}

/** Returns its argument: it is here for inference. */
export const defineReporter = <R extends Reporter>(reporter: R): R => reporter

/** What a reporter is given of a run: data alone, so that a report can be made again from a run's files. */
export interface ReportInput {
  title: string
  /** What identifies the run, e.g. `['seed', '1']`. */
  facts: readonly (readonly [label: string, value: string])[]
  /** The run's folder, for the commands that a report names. */
  folder: string
  /** Where the metrics are defined: a link, as seen from the report. */
  codebook: string
  summary: Summary
  /** The trials in the order of the plan; may be called again and again. */
  lines: () => Iterable<TrialLine>
  trace: (id: string) => Promise<KeptTrace>
  /** Ids of the trials whose timelines are wanted; empty: the reporter's choice. */
  timelines: readonly string[]
}

/** A run may keep no trace of a trial; `note` says so, or what is wrong with the one that it kept. */
export interface KeptTrace {
  trace: Trace | null
  note: string | null
}

/** What a run found, per case × agent × model × thinking policy; groups stand in the order of their first trial. */
export interface Summary {
  version: 1
  trials: number
  groups: Group[]
  /** What the suite's `factors` are worth, for each model and thinking policy; absent where it declares none. */
  contrasts?: Contrasts[]
  /** What each setting costs and achieves, per case; absent where the suite does not ask for it. */
  fronts?: Front[]
  /** Of each two agents that met the same worlds with the same model; a base stands before its candidate. */
  costs: CostComparison[]
  /** The declarations of what is summed up; no part of `summary.json`. */
  metrics: readonly Metric[]
}

/** The settings of all agents in one case. */
export interface Front {
  world: string
  points: FrontPoint[]
}

/** On the scenarios of odd index (`n` trials): the share that was solved, and billed tokens per scenario. */
export interface FrontPoint {
  agent: string
  /** What tells it from the agent's other settings. */
  setting: string
  solved: number
  billed: number
  n: number
  /** The agent's cheapest per solved scenario on those of even index. */
  chosen: boolean
  /** No other setting of the agent (of any agent) solves as many for as little, and more or for less. */
  ownFront: boolean
  front: boolean
}

/** The contrasts of a run's factors under one model and thinking policy. Worlds are fixed and have equal weight. */
export interface Contrasts {
  model: string | null
  thinking: string
  worlds: string[]
  /** Worlds that lack a cell, and are in no contrast. */
  left: string[]
  outcomes: ContrastOutcome[]
}

/** What contrasts are of. Ratios are of 1, differences of 0 where there is no effect. */
export interface ContrastOutcome {
  name: string
  kind: 'difference' | 'ratio'
  unit: string
  /** One of the family that Holm adjusts; all else is exploratory. */
  confirmatory: boolean
  /** Scenarios per world, and those that lack a value in a cell. */
  n: number[]
  missing: number[]
  contrasts: ContrastFigures[]
}

export interface ContrastFigures {
  name: string
  kind: 'main' | 'interaction' | 'simple'
  mean: ContrastFigure | null
  /** In the order of the worlds: in each of them, and the mean without it. */
  worlds: (ContrastFigure | null)[]
  without: (ContrastFigure | null)[]
  /** Adjusted by Holm over the confirmatory family; null where it is exploratory or has no p. */
  holm: number | null
  /** Of an interaction of rates: does its sign agree on the logit? One that does not is a matter of the scale, and counts for nothing. */
  agrees?: boolean
}

/** At 95 %; null ends: too few scenarios, or a resample without a value. `p`: the α at which the interval's end touches no effect. */
export interface ContrastFigure {
  value: number
  low: number | null
  high: number | null
  p: number | null
}

/** The places of two groups, and what the candidate costs beside the base. */
export interface CostComparison extends Cost {
  base: number
  candidate: number
}

/** The trials of one case, agent, model and thinking policy, summed up. */
export interface Group {
  environment: { name: string; version: string; params: JsonObject }
  agent: { name: string; version: string; params: JsonObject }
  /** Null for agents without a model. */
  model: string | null
  thinking: string
  clock: string
  trials: number
  /** The unit of analysis: replicas are averaged inside it. */
  scenarios: number
  infrastructureErrors: number
  outcomes: Record<Outcome, number>
  /** Infrastructure errors count as failures. */
  solved: Rate
  /** Where there are replicas: pass^k for k = 1, 2 … up to the most of a scenario; null where another has fewer than k. */
  passes?: (number | null)[]
  /** Trials with a violation; those that an infrastructure error ended are left out, for they had less time to do harm. */
  violated: Rate
  /** Numbers, and booleans as 0 and 1; infrastructure errors are left out. */
  metrics: Record<string, MetricSummary>
  /** Null where no trial left a behaviour. */
  behaviours: Behaviours | null
}

/** A share of scenarios. `events` may be fractional (replicas). `low` to `high`: Wilson, 95 %. `upper`: Clopper–Pearson, one-sided 95 %. */
export interface Rate {
  events: number
  n: number
  rate: number | null
  low: number | null
  high: number | null
  upper: number | null
}

/** One metric of a group. */
export interface MetricSummary {
  unit: string
  better: Metric['better']
  /** Scenarios with a value, and without one. */
  n: number
  missing: number
  mean: number | null
  median: number | null
  p90: number | null
  /** Of metrics that are summed up as `share` or `count`; that of `solved` and of `violations` stands in the group itself. */
  rate?: Rate
}

/** How alike the trials of a group were in what they called, in which order. */
export interface Behaviours {
  /** Trials with a behaviour. */
  trials: number
  /** Different paths among them. */
  distinct: number
  /** The most frequent ones, with the ids of a few of their trials. */
  paths: BehaviourPath[]
}

/** A path of calls that some trials have in common. */
export interface BehaviourPath {
  structural: string
  path: string
  trials: number
  members: string[]
  /** From the path that most trials took; null for that path itself. */
  differs: { step: number; role: string | null; one: string; other: string; distance: number } | null
}
