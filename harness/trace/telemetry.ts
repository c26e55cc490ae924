import type { RecordOf, Scalar } from '../define/index.js'
import { propertyKey } from './select.js'
import { clean, seconds, show } from './text.js'

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
export function foldTelemetry(fold: boolean) {
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
      return fold && typeof to === 'number'
        ? keep(changes, key, run)
        : [...flush(), { at, who, text: changed(key, run) }]
    },
    /** `text` is what the record says alone. */
    doorbell({ tool, at }: RecordOf<'doorbell'>, text: string, who: string): Told[] {
      if (!fold || tool === null) return [...flush(), { at, who, text }]
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
      if (fold && !fresh) return keep(syncs, clean(tool), { who, from: 0, to: 0, steps: 1, firstAt: at, lastAt: at })
      const shown = (fold ? news : Object.entries(values)).map(
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
