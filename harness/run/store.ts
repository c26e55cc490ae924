import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { OUTCOMES, UserError, cacheSchema, limitsSchema } from '../contract/index.js'
import type { TrialIdentity, TrialLine } from '../contract/index.js'
import { parseJson, reasonOf } from './disk.js'
import { RUN_VERSION, headerSchema } from './header.js'
import type { RunHeader } from './header.js'

export type { RunHeader } from './header.js'

export const tracePath = (folder: string, identity: Pick<TrialIdentity, 'id'>): string =>
  trialPath(folder, 'traces', identity)

/** One file per trial, foldered like its id, in characters that every file system takes. */
export function trialPath(folder: string, kind: 'traces' | 'calls', identity: Pick<TrialIdentity, 'id'>): string {
  const parts = identity.id
    .split('/')
    .map((part) => part.replaceAll(/[^a-zA-Z0-9._,=[\]-]/g, '_').replace(/^\.+$/, '_'))
  return `${join(folder, kind, ...parts)}.jsonl.gz`
}

/** A run's header and lines. Lines that cannot be read are left out and told of in `notes`. */
export function readRun(folder: string): { header: RunHeader; lines: TrialLine[]; notes: string[] } {
  const header = readHeader(folder)
  const path = join(folder, 'trials.jsonl')
  const texts = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const lines: TrialLine[] = []
  const notes: string[] = []
  for (const [index, text] of texts.entries()) {
    if (text === '') continue
    // Checked, not parsed: a line keeps the order of its keys.
    const line = parseJson(text)
    if (isLine(line)) lines.push(line)
    else notes.push(`${path}:${index + 1} is torn, corrupt or newer than this program, and was left out.`)
  }
  const other = lines.find(({ identity }) => identity.clock !== header.clock)
  if (other !== undefined) {
    throw new UserError(
      `"${folder}" mixes clocks: its run.json says ${header.clock}, but the trial "${other.identity.id}" ran on ${other.identity.clock}.`,
    )
  }
  return { header, lines, notes }
}

function readHeader(folder: string): RunHeader {
  let data: unknown
  try {
    data = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
  } catch (error) {
    throw new UserError(`"${folder}" holds no readable run.json: ${reasonOf(error)}`)
  }
  const version = z.object({ version: z.number() }).safeParse(data)
  if (version.success && version.data.version > RUN_VERSION) {
    throw new UserError(
      `"${folder}" was written by a newer version (format ${version.data.version}, this one reads ${RUN_VERSION}). Update sora-bench.`,
    )
  }
  const header = headerSchema.safeParse(data)
  if (header.success) return header.data
  const [issue] = header.error.issues
  throw new UserError(
    `"${join(folder, 'run.json')}" is damaged: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
  )
}

const params = z.record(z.string(), z.unknown())
const lineSchema = z.object({
  version: z.literal(1),
  identity: z.object({
    id: z.string(),
    scenario: z.object({
      environment: z.string(),
      environmentVersion: z.string(),
      params,
      index: z.number(),
      seed: z.string(),
    }),
    agent: z.string(),
    agentVersion: z.string(),
    agentParams: params,
    model: z.string().nullable(),
    replica: z.number(),
    clock: z.string(),
    thinking: z.string(),
    limits: limitsSchema,
    cache: cacheSchema.optional(),
  }),
  outcome: z.enum(OUTCOMES),
  metrics: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  behaviour: z.object({ structural: z.string(), full: z.string(), path: z.string() }).nullable(),
  error: z.string().nullable(),
})
const isLine = (data: unknown): data is TrialLine => lineSchema.safeParse(data).success

/** A run by folder, or by name below `results/`; without a name the latest. */
export function findRun(name: string | undefined, results = 'results'): string {
  if (name !== undefined) {
    for (const folder of [name, join(results, name)]) if (existsSync(join(folder, 'run.json'))) return folder
    throw new UserError(`No run "${name}". ${knownRuns(results)}`)
  }
  const [latest] = runFolders(results)
  if (latest === undefined)
    throw new UserError(`There is no run below "${results}" yet. Make one with \`sora-bench run\`.`)
  return latest
}

function knownRuns(results: string): string {
  const names = runFolders(results).slice(0, 5)
  return names.length === 0 ? `There is none below "${results}".` : `Latest: ${names.join(', ')}.`
}

/** Newest first. */
export function runFolders(results: string): string[] {
  if (!existsSync(results)) return []
  return readdirSync(results)
    .map((name) => join(results, name))
    .filter((folder) => existsSync(join(folder, 'run.json')))
    .map((folder): [string, number] => [folder, statSync(join(folder, 'run.json')).mtimeMs])
    .toSorted(([, a], [, b]) => b - a)
    .map(([folder]) => folder)
}
