import { z } from 'zod'
import { limitsSchema, suiteSchema, UserError } from '../define/index.js'
import type { JsonObject, Suite, TrialLine } from '../define/index.js'
import { damaged } from './damaged.js'
import { canonical, groupLabel } from './group.js'
import { readTable, writeTable } from './baseline-table.js'

/** Raised when a baseline's files change their shape. */
export const BASELINE_VERSION = 1

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
})
export type BaselineGroup = z.output<typeof groupSchema>

/** `run.json` of a baseline: what a run is identified by, without host, time and revision. */
export const baselineSchema = z.object({
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
  const { scenario, agent, agentVersion, agentParams, model, clock, thinking, limits } = identity
  const { environment, environmentVersion } = scenario
  return {
    label: groupLabel(identity),
    environment,
    environmentVersion,
    params: scenario.params,
    agent,
    agentVersion,
    agentParams,
    model,
    clock,
    thinking,
    limits,
  }
}

const keyOf = (line: TrialLine): string => {
  const { label, params: own, agentParams, limits, ...rest } = groupOf(line)
  return canonical([label, { ...rest }, own, agentParams, { ...limits }])
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
