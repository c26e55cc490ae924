import { execFileSync } from 'node:child_process'
import type { ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { modelsIn, suiteSchema } from '../contract/index.js'
import type { Suite, TrialIdentity } from '../contract/index.js'
import { preflightSchema } from './preflight.js'

/** Our own package.json, from the sources and from the build alike. */
export function packageInfo(): { version: string } {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const info: { name?: string; version: string } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'))
      if (info.name === 'sora-bench') return info
    } catch {
      // Not here: the build lies one folder deeper.
    }
  }
  throw new Error('sora-bench cannot find its own package.json.')
}

/** Raised when a run's files change their shape. */
export const RUN_VERSION = 1

/** `run.json`: what identifies a run. The plan follows from the suite and the versions. */
export const headerSchema = z.object({
  version: z.number(),
  run: z.string(),
  suite: suiteSchema,
  trials: z.number(),
  /** Versions of agents and environments by name. */
  versions: z.record(z.string(), z.string()),
  /** The files that agents and environments came from where they are not our own; their versions hold the content hashes. */
  plugins: z.array(z.string()).default([]),
  /** Versions of metrics by name. */
  graders: z.record(z.string(), z.string()).default({}),
  clock: z.string(),
  models: z.array(z.string()),
  /** The folder that its answers came from, where they were recorded. */
  replays: z.string().optional(),
  traces: z.enum(['all', 'failures', 'none']),
  startedAt: z.string(),
  revision: z.string().nullable(),
  /** What was found out about real models, and how their endpoints are spoken to. */
  preflight: z.array(preflightSchema).optional(),
  host: z.object({ sorabench: z.string(), node: z.string(), platform: z.string() }),
})
export type RunHeader = z.output<typeof headerSchema>
/** Which traces a run keeps. */
export type TracePolicy = RunHeader['traces']

/** What identifies a run of these trials that starts now. */
export function runHeader(
  run: string,
  suite: Suite,
  trials: readonly TrialIdentity[],
  {
    now,
    ...given
  }: Pick<RunHeader, 'traces'> & Partial<Pick<RunHeader, 'graders' | 'plugins' | 'replays'>> & { now: Date },
): RunHeader {
  return {
    version: RUN_VERSION,
    run,
    suite,
    trials: trials.length,
    versions: versionsOf(trials),
    plugins: [],
    graders: {},
    ...given,
    clock: suite.clock,
    models: [...modelsIn(suite).keys()],
    startedAt: now.toISOString(),
    revision: gitRevision(),
    host: { sorabench: packageInfo().version, node: process.version, platform: `${process.platform}-${process.arch}` },
  }
}

/** Versions of agents and environments, in the order of their names. */
export function versionsOf(trials: readonly TrialIdentity[]): Record<string, string> {
  const versions = new Map<string, string>()
  for (const { agent, agentVersion, scenario } of trials) {
    versions.set(agent, agentVersion)
    versions.set(scenario.environment, scenario.environmentVersion)
  }
  return Object.fromEntries([...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function gitRevision(): string | null {
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    const revision = execFileSync('git', ['rev-parse', 'HEAD'], options).trim()
    return execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], options) === ''
      ? revision
      : `${revision}+changes`
  } catch {
    return null
  }
}
