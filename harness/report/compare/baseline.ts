import { createHash } from 'node:crypto'
import { z } from 'zod'
import { OUTCOMES, UserError, cacheSchema, limitsSchema, suiteSchema } from '../../contract/index.js'
import type { JsonObject, MetricValue, Suite, TrialLine } from '../../contract/index.js'
import { canonical, groupLabel } from './pairs.js'

const damaged = (folder: string, what: string): UserError =>
  new UserError(`The baseline "${folder}" is damaged (${what}). Restore it, or make it again with \`baseline set\`.`)

/** A trial of a baseline: its line, with what decides it pooled in a group. */
interface BaselineTrial extends Omit<TrialLine, 'version' | 'identity'> {
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
function writeTable(trials: readonly { group: number; line: TrialLine }[]): string {
  const metrics = [...new Set(trials.flatMap(({ line }) => Object.keys(line.metrics)))].toSorted()
  const paths = new Map<string, string>()
  const rows = trials
    .toSorted((a, b) => a.group - b.group || compareScenarios(a.line, b.line))
    .map(({ group, line }) => {
      const { outcome, error, behaviour } = line
      const { scenario, replica } = line.identity
      const { structural, full, path } = behaviour ?? { structural: null, full: null, path: null }
      const short = path === null ? null : shortHash(path)
      if (short !== null && path !== null) paths.set(short, path)
      const own = [group, scenario.index, scenario.seed, replica, outcome, error, structural, full, short]
      return [...own, ...metrics.map((name) => line.metrics[name] ?? null)]
    })
  const pool = [...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, is]) => ({ path, is }))
  return [[...FIXED, ...metrics], ...pool, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

const compareScenarios = ({ identity: a }: TrialLine, { identity: b }: TrialLine): number =>
  a.scenario.index - b.scenario.index || a.replica - b.replica

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const pooled = z.object({ path: z.string(), is: z.string() })
const textOrNull = z.string().nullable()
const whichTrial = [z.number(), z.number(), z.string(), z.number()] as const
const fixed = z.tuple([...whichTrial, z.enum(OUTCOMES), textOrNull, textOrNull, textOrNull, textOrNull])
const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))

function readTable(folder: string, text: string): BaselineTrial[] {
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

/** Raised when a baseline's files change their shape. */
const BASELINE_VERSION = 1

const params = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null)
const groupSchema = z.object({
  label: z.string(),
  environment: z.string(),
  environmentVersion: z.string(),
  params,
  agent: z.string(),
  agentVersion: z.string(),
  agentParams: params,
  model: z.string().nullable(),
  clock: z.string(),
  thinking: z.string(),
  limits: limitsSchema,
  cache: cacheSchema.optional(),
})
type BaselineGroup = z.output<typeof groupSchema>

/** `run.json` of a baseline: what a run is identified by, without host, time and revision. */
const baselineSchema = z.object({
  kind: z.literal('baseline'),
  version: z.number(),
  suite: suiteSchema,
  /** The suite by name whose plain run this was: a check runs what that file then says. Null: a check runs `suite`. */
  follows: z.string().nullable(),
  graders: z.record(z.string(), z.string()),
  groups: z.array(groupSchema),
})
export type BaselineHeader = z.output<typeof baselineSchema>

export interface Baseline {
  header: BaselineHeader
  lines: TrialLine[]
}

export interface BaselineFiles {
  'run.json': string
  'trials.jsonl': string
}

/** The two files of a baseline; the same run gives the same bytes, in whatever order its trials ended. */
export function packBaseline(source: {
  suite: Suite
  follows: string | null
  graders: Record<string, string>
  lines: readonly TrialLine[]
}): BaselineFiles {
  const { lines, ...identity } = source
  const groups = new Map<string, BaselineGroup>()
  for (const line of lines) groups.set(keyOf(line), groupOf(line))
  const keys = [...groups.keys()].toSorted()
  const sorted = keys.flatMap((key) => groups.get(key) ?? [])
  const header: BaselineHeader = { kind: 'baseline', version: BASELINE_VERSION, ...identity, groups: sorted }
  const rank = new Map(keys.map((key, index) => [key, index]))
  return {
    'run.json': `${JSON.stringify(header, null, 2)}\n`,
    'trials.jsonl': writeTable(lines.map((line) => ({ group: rank.get(keyOf(line)) ?? -1, line }))),
  }
}

export function unpackBaseline(folder: string, files: BaselineFiles): Baseline {
  const header = readHeader(folder, files['run.json'])
  const lines = readTable(folder, files['trials.jsonl']).map(({ group, scenario, seed, replica, ...line }) => {
    const own = header.groups[group]
    if (own === undefined) throw damaged(folder, `group ${group} is missing`)
    return { version: 1 as const, identity: identityOf(own, scenario, seed, replica), ...line }
  })
  return { header, lines }
}

function readHeader(folder: string, text: string): BaselineHeader {
  const data: unknown = JSON.parse(text)
  const version = z.object({ version: z.number() }).safeParse(data)
  if (version.success && version.data.version > BASELINE_VERSION) {
    throw new UserError(
      `The baseline "${folder}" was written by a newer version (format ${version.data.version}, this one reads ${BASELINE_VERSION}). Update sora-bench.`,
    )
  }
  const header = baselineSchema.safeParse(data)
  if (header.success) return header.data
  const [issue] = header.error.issues
  throw damaged(folder, `run.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

function groupOf({ identity }: TrialLine): BaselineGroup {
  const { id: _id, replica: _replica, scenario, ...seat } = identity
  const { index: _index, seed: _seed, ...world } = scenario
  return { label: groupLabel(identity), ...world, ...seat }
}

const keyOf = (line: TrialLine): string => {
  const { label, params: own, agentParams, limits, cache = null, ...rest } = groupOf(line)
  return canonical([label, { ...rest }, own, agentParams, { ...limits }, cache])
}

function identityOf(group: BaselineGroup, index: number, seed: string, replica: number): TrialLine['identity'] {
  const { label, environment, environmentVersion, params: own, ...rest } = group
  return {
    id: `${label}/${index}${replica === 0 ? '' : `/r${replica}`}`,
    scenario: { environment, environmentVersion, params: own, index, seed },
    ...rest,
    replica,
  }
}
