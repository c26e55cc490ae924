import type { Outcome, TrialLine } from '../define/index.js'
import { why } from '../trace/why.js'
import type { ReportInput } from './reporter.js'
import { lineKey } from './summary.js'

/** Trials of one group that failed alike: told once, by the first of them. */
export interface Failure {
  outcome: Outcome
  ids: string[]
  reasons: string[]
}
export interface Failures {
  failures: Failure[]
  /** Failed trials beyond those whose traces were read. */
  untold: number
}

/** Reading a trace takes a few ms, and a page is for people. */
const TOLD_PER_GROUP = 50
const TOLD = 500

/** Why trials failed, by group key, from their traces; numbers aside, equal reasons are one. */
export async function failuresOf(input: ReportInput): Promise<Map<string, Failures>> {
  const groups = new Map<string, { told: number; untold: number; alike: Map<string, Failure> }>()
  let told = 0
  for (const line of input.lines()) {
    if (line.outcome === 'solved') continue
    const key = lineKey(line)
    const group = groups.get(key) ?? { told: 0, untold: 0, alike: new Map<string, Failure>() }
    groups.set(key, group)
    if (group.told === TOLD_PER_GROUP || told === TOLD) {
      group.untold++
      continue
    }
    group.told++
    told++
    const reasons = await reasonsOf(line, input)
    const kind = [line.outcome, ...reasons].map(withoutNumbers).join('\n')
    const failure = group.alike.get(kind) ?? { outcome: line.outcome, ids: [], reasons }
    group.alike.set(kind, failure)
    failure.ids.push(line.identity.id)
  }
  return new Map(
    [...groups].map(([key, { alike, untold }]) => [
      key,
      { failures: [...alike.values()].toSorted((a, b) => b.ids.length - a.ids.length), untold },
    ]),
  )
}

async function reasonsOf({ identity, error }: TrialLine, input: ReportInput): Promise<string[]> {
  const { trace, note } = await input.trace(identity.id)
  const reasons = trace === null ? (error === null ? [] : [error]) : why(trace)
  return note === null ? reasons : [...reasons, note]
}

/** Times, counts and what a model happened to say do not make another failure; a trial's own name does not either. */
const withoutNumbers = (text: string): string => text.replaceAll(/“[^”]*”|"[^"]*"/g, '…').replaceAll(/\d[\d .]*/g, '#')
