import type { RecordOf, Scalar, Trace, TraceRecord } from '../contract/index.js'
import { lineWriter } from './lines.js'
import { endTime, firstOf, phaseFinder, propertyKey, recordsOf, roleFinder } from './records.js'
import { clean, fold, noColour, seconds, show, stamp, thousands } from './text.js'
import type { Palette } from './text.js'
import { why } from './why.js'

/** A line of the story under way. */
export interface Told {
  at: number
  who: string
  text: string
}

interface Run {
  who: string
  firstAt: number
  lastAt: number
  steps: number
  from: Scalar | null
  to: Scalar
}

/**
 * Folds telemetry: consecutive changes of a number become one line, and so do syncs that bring nothing but such
 * numbers, and what becomes of the doorbells of tools. Words are states, and keep a line each. Not folding, every
 * record has its line.
 */
function foldTelemetry(folds: boolean) {
  const changes = new Map<string, Run>()
  const syncs = new Map<string, Run>()
  const doorbells = new Map<string, Run>()
  const known = new Map<string, Scalar>()

  function flush(): Told[] {
    const lines = [
      ...[...changes].map(([key, run]): Told => ({ at: run.lastAt, who: run.who, text: changed(key, run) })),
      ...[...doorbells].map(([text, run]): Told => ({ at: run.lastAt, who: run.who, text: repeated(text, run) })),
      ...[...syncs].map(([tool, run]): Told => ({ at: run.lastAt, who: run.who, text: synced(tool, run) })),
    ]
    changes.clear()
    syncs.clear()
    doorbells.clear()
    return lines.toSorted((a, b) => a.at - b.at)
  }

  function keep(runs: Map<string, Run>, key: string, run: Run): Told[] {
    const before = runs.get(key)
    runs.set(
      key,
      before === undefined ? run : { ...run, from: before.from, firstAt: before.firstAt, steps: before.steps + 1 },
    )
    return []
  }

  return {
    flush,
    /** The lines that this change completes; a number is kept back until `flush`. */
    change({ tool, property, from, to, at }: RecordOf<'change'>, who: string): Told[] {
      const key = `${clean(tool)}.${clean(property)}`
      const run = { who, from, to, steps: 1, firstAt: at, lastAt: at }
      return folds && typeof to === 'number'
        ? keep(changes, key, run)
        : [...flush(), { at, who, text: changed(key, run) }]
    },
    /** `text` is what the record says alone. */
    doorbell({ tool, at }: RecordOf<'doorbell'>, text: string, who: string): Told[] {
      if (!folds || tool === null) return [...flush(), { at, who, text }]
      return keep(doorbells, text, { who, from: 0, to: 0, steps: 1, firstAt: at, lastAt: at })
    },
    sync({ tool, values, at, role }: RecordOf<'sync'>, who: string): Told[] {
      const news = Object.entries(values).filter(
        ([key, value]) => known.get(`${role} ${propertyKey(tool, key)}`) !== value,
      )
      const fresh = news.some(
        ([key, value]) => typeof value !== 'number' || !known.has(`${role} ${propertyKey(tool, key)}`),
      )
      for (const [key, value] of news) known.set(`${role} ${propertyKey(tool, key)}`, value)
      if (folds && !fresh) return keep(syncs, clean(tool), { who, from: 0, to: 0, steps: 1, firstAt: at, lastAt: at })
      const shown = (folds ? news : Object.entries(values)).map(
        ([key, value]) => `${clean(propertyKey(tool, key).slice(tool.length + 1))} = ${show(value)}`,
      )
      return [...flush(), { at, who, text: `syncs ${clean(tool)}: ${shown.join(', ') || 'nothing'}` }]
    },
  }
}

function changed(key: string, { from, to, steps, firstAt, lastAt }: Run): string {
  const text = from === null ? `${key} → ${show(to)}` : `${key} ${show(from)} → ${show(to)}`
  return steps === 1 ? text : `${text} in ${steps} steps since ${seconds(firstAt)} (${seconds(lastAt - firstAt)})`
}

function repeated(text: string, { steps, firstAt }: Run): string {
  return steps === 1 ? text : `${text}, ${steps} times since ${seconds(firstAt)}`
}

function synced(tool: string, { steps, firstAt }: Run): string {
  return steps === 1
    ? `syncs ${tool}: no news but numbers`
    : `syncs ${tool} ${steps} times since ${seconds(firstAt)}: no news but numbers`
}

interface NarrativeOptions {
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
  const phaseOf = phaseFinder(trace)
  const phases = new Map<string, string>()
  return (record) => {
    const role = roleOf(record)
    if (role === null) return 'world'
    const key = record.activity ?? role
    const phase = phaseOf(record)?.label ?? phases.get(key)
    if (phase === undefined) return clean(role)
    phases.set(key, phase)
    return `${clean(role)}/${clean(phase)}`
  }
}
