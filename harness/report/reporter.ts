import type { Trace, TrialLine } from '../contract/index.js'
import type { Summary } from './summary.js'

/** What every reporter is given: data alone, so that a report can be made again from a run's files. */
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

/** Turns a run into a file. One per file `EXTENSION.reporter.ts`, found by its name. */
export interface Reporter {
  /** The extension of the files that it writes, without the dot. */
  name: string
  /** One line for the help. */
  summary: string
  render(input: ReportInput): string | Promise<string>
}

/** Returns its argument: it is here for inference. */
export function defineReporter(reporter: Reporter): Reporter {
  return reporter
}
