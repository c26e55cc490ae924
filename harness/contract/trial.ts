import type { JsonObject } from './json.js'
import type { CacheSettings, Limits } from './suite.js'

/** How a trial ended, the first that applies from the right: see `outcomeOf` in run/conclusion.ts. */
export const OUTCOMES = [
  'solved',
  'violated',
  'unsolved',
  'deadlocked',
  'out_of_time',
  'out_of_budget',
  'out_of_context',
  'agent_error',
  'infrastructure_error',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Environment × parameters × seed: the unit of analysis. `index` counts the scenarios of a case from 0. */
export interface Scenario {
  environment: string
  environmentVersion: string
  params: JsonObject
  index: number
  seed: string
}

/** What a metric found; absent is null, never 0. */
export type MetricValue = number | boolean | string | null

/** All that decides a trial. Two trials with equal identities have equal traces (virtual clock, simulated model). */
export interface TrialIdentity {
  /** Readable and unique in its run: `water-hammer/s-ora/sim:typical/7`. */
  id: string
  scenario: Scenario
  agent: string
  agentVersion: string
  agentParams: JsonObject
  /** Null for agents without a model. */
  model: string | null
  replica: number
  /** `virtual`, or `wall:SPEED`. */
  clock: string
  thinking: string
  limits: Limits
  /** Absent: the defaults. */
  cache?: CacheSettings
}

/** What the agents of a trial did, so that two trials can be told apart without their traces (docs/algebra.md). Both hashes are SHA-256. */
export interface Behaviour {
  /** Of the tools and σ: which functions were called in which order and cycle. */
  structural: string
  /** Of the tools and all four artifacts: also every input, value, query and result, but no time. */
  full: string
  /** σ with names: `a.x b*2 | c`: calls in their order, ` | ` between cycles, `@role` before each of several activities; one without a call is left out. */
  path: string
}

/** A finished trial as one line of `trials.jsonl`: what reports and comparisons are made from. Deterministic: wall time lives in a sidecar. */
export interface TrialLine {
  version: 1
  identity: TrialIdentity
  outcome: Outcome
  /** Flat: `name` or `name.key`, in the order of the metrics' names. */
  metrics: Record<string, MetricValue>
  /** Null where no agent left an activity in the trace. */
  behaviour: Behaviour | null
  /** The last error of the trial, one line, for outcomes that are errors. */
  error: string | null
}
