import { createHash } from 'node:crypto'
import { z } from 'zod'
import { OUTCOMES } from '../define/index.js'
import type { MetricValue, TrialLine } from '../define/index.js'
import { damaged } from './damaged.js'

/** A trial of a baseline: its line, with what decides it pooled in a group. */
export interface BaselineTrial extends Omit<TrialLine, 'version' | 'identity'> {
  group: number
  scenario: number
  seed: string
  replica: number
}

const FIXED = ['group', 'scenario', 'seed', 'replica', 'outcome', 'error', 'structural', 'full', 'path'] as const

/**
 * One row per trial, in the order of group, scenario and replica: a line of column names, then the paths by a short hash
 * of their own (so that a new one changes no other row), then the rows.
 */
export function writeTable(trials: readonly { group: number; line: TrialLine }[]): string {
  const metrics = [...new Set(trials.flatMap(({ line }) => Object.keys(line.metrics)))].toSorted()
  const paths = new Map<string, string>()
  const rows = trials
    .toSorted((a, b) => a.group - b.group || compareScenarios(a.line, b.line))
    .map(({ group, line }) => {
      const { identity, outcome, error, behaviour } = line
      const path = behaviour === null ? null : shortHash(behaviour.path)
      if (path !== null && behaviour !== null) paths.set(path, behaviour.path)
      return [
        group,
        identity.scenario.index,
        identity.scenario.seed,
        identity.replica,
        outcome,
        error,
        behaviour?.structural ?? null,
        behaviour?.full ?? null,
        path,
        ...metrics.map((name) => line.metrics[name] ?? null),
      ]
    })
  const pool = [...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, is]) => ({ path, is }))
  return [[...FIXED, ...metrics], ...pool, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

const compareScenarios = ({ identity: a }: TrialLine, { identity: b }: TrialLine): number =>
  a.scenario.index - b.scenario.index || a.replica - b.replica

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const pooled = z.object({ path: z.string(), is: z.string() })
const fixed = z.tuple([
  z.number(),
  z.number(),
  z.string(),
  z.number(),
  z.enum(OUTCOMES),
  z.string().nullable(),
  z.string().nullable(),
  z.string().nullable(),
  z.string().nullable(),
])
const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))

export function readTable(folder: string, text: string): BaselineTrial[] {
  const [head = [], ...rest] = parseLines(folder, text)
  const columns = z.array(z.string()).safeParse(head)
  if (!columns.success) throw damaged(folder, 'trials.jsonl:1')
  const metrics = columns.data.slice(FIXED.length)
  const paths = new Map<string, string>()
  const trials: BaselineTrial[] = []
  for (const [index, line] of rest.entries()) {
    const path = pooled.safeParse(line)
    if (path.success) {
      paths.set(path.data.path, path.data.is)
      continue
    }
    const trial = readRow(line, metrics, paths)
    if (trial === null) throw damaged(folder, `trials.jsonl:${index + 2}`)
    trials.push(trial)
  }
  return trials
}

function readRow(line: unknown, metrics: string[], paths: ReadonlyMap<string, string>): BaselineTrial | null {
  if (!Array.isArray(line)) return null
  const own = fixed.safeParse(line.slice(0, FIXED.length))
  const measured = values.safeParse(line.slice(FIXED.length))
  if (!own.success || !measured.success || measured.data.length !== metrics.length) return null
  const [group, scenario, seed, replica, outcome, error, structural, full, key] = own.data
  const path = key === null ? null : paths.get(key)
  if (path === undefined) return null
  const behaviour = structural === null || full === null || path === null ? null : { structural, full, path }
  const entries = metrics.map((name, index): [string, MetricValue] => [name, measured.data[index] ?? null])
  return { group, scenario, seed, replica, outcome, error, behaviour, metrics: Object.fromEntries(entries) }
}

function parseLines(folder: string, text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        throw damaged(folder, `trials.jsonl:${index + 1}`)
      }
    })
}
