import type { RecordOf, Trace, TraceRecord } from '../define/index.js'
import { lineWriter } from './lines.js'
import { endTime, firstOf, recordsOf, roleFinder } from './select.js'
import { foldTelemetry } from './telemetry.js'
import type { Told } from './telemetry.js'
import { clean, fold, noColour, seconds, show, stamp, thousands } from './text.js'
import type { Palette } from './text.js'
import { why } from './why.js'

export interface NarrativeOptions {
  /** Folds nothing: all texts, prompts and telemetry. */
  full?: boolean
  colour?: Palette
}

/** The story of a trial: who it was, what happened, one line each, and why it ended so. */
export function narrate(trace: Trace, { full = false, colour = noColour }: NarrativeOptions = {}): string[] {
  const reasons = why(trace)
  return [
    ...header(trace, colour),
    '',
    ...aligned(tell(trace, { full, colour })),
    '',
    colour.bold('Why'),
    ...reasons.map((line) => `  ${line}`),
  ]
}

function header(trace: Trace, colour: Palette): string[] {
  const trial = firstOf(trace, 'trial')
  if (trial === null) return [colour.bold('A trial without a beginning')]
  const { id, scenario, agent, agentVersion, agentParams, model, thinking, clock, replica } = trial.identity
  return [
    colour.bold(`Trial ${clean(id)}`),
    `  environment  ${clean(scenario.environment)} ${clean(scenario.environmentVersion)}, scenario ${scenario.index}, seed ${clean(scenario.seed)}`,
    `  parameters   ${fold(JSON.stringify(scenario.params), 400)}`,
    `  agent        ${clean(agent)} ${clean(agentVersion)}${Object.keys(agentParams).length === 0 ? '' : ` ${fold(JSON.stringify(agentParams), 400)}`}`,
    `  model        ${model === null ? 'none' : clean(model)}, thinking ${clean(thinking)}, ${clock} clock, replica ${replica}`,
    ...trial.roles.map(({ name, goal }) => `  goal         ${clean(name)}: ${fold(goal, 400)}`),
    `  outcome      ${outcomeText(trace, colour)}`,
  ]
}

/** The verdict and what it took, in one line. */
export function outcomeText(trace: Trace, colour: Palette = noColour): string {
  const verdict = firstOf(trace, 'verdict')
  const facts = [
    seconds(endTime(trace)),
    `${thousands(recordsOf(trace, 'request').length)} model calls`,
    `${thousands(recordsOf(trace, 'operation').length)} operations`,
  ]
  if (verdict === null) return `none: the trace ends before its verdict · ${facts.join(' · ')}`
  const named = verdict.violations.length === 0 ? '' : ` (${verdict.violations.map(clean).join(', ')})`
  return `${(verdict.solved ? colour.green : colour.red)(`${show(verdict.outcome)}${named}`)} · ${facts.join(' · ')}`
}

/** What happened, in its order, without header and reasons. */
export function tell(trace: Trace, { full = false, colour = noColour }: NarrativeOptions = {}): Told[] {
  const write = lineWriter(trace, { full, colour })
  const speakerOf = speakers(trace)
  const telemetry = foldTelemetry(!full)
  const told: Told[] = []
  for (const record of trace) {
    const who = speakerOf(record)
    if (record.kind === 'change') told.push(...telemetry.change(record, who))
    else if (record.kind === 'sync') told.push(...telemetry.sync(record, who))
    const text = write(record)
    if (text === null) continue
    if (record.kind === 'doorbell') told.push(...telemetry.doorbell(record, text, who))
    else told.push(...telemetry.flush(), { at: record.at, who, text })
  }
  told.push(...telemetry.flush())
  return told
}

function aligned(told: readonly Told[]): string[] {
  const stamps = told.map(({ at }) => stamp(at))
  const wide = Math.max(0, ...stamps.map((text) => text.length))
  const long = Math.max(0, ...told.map(({ who }) => who.length))
  return told.map(({ who, text }, index) => `${(stamps[index] ?? '').padStart(wide)}  ${who.padEnd(long)}  ${text}`)
}

/** `role`, or `role/phase` where the agent tells its phases; `world` for what nobody did. */
function speakers(trace: Trace): (record: TraceRecord) => string {
  const roleOf = roleFinder(trace)
  const phases = new Map<string, RecordOf<'phase'>>()
  return (record) => {
    const role = roleOf(record)
    if (role === null) return 'world'
    if (record.kind === 'phase') phases.set(record.activity ?? role, record)
    const phase = phases.get(record.activity ?? role)?.phase
    return phase === undefined ? clean(role) : `${clean(role)}/${clean(phase)}`
  }
}
