import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import type { Json, Lifetime, TrialIdentity } from '../contract/index.js'
import { freshMemory, lifetimesOf } from '../trial/memory.js'
import type { TrialMemory } from '../trial/memory.js'
import { appendLine, cutTornLine, parseJson, reasonOf, unwritable } from './disk.js'
import type { MemoryKey, MemoryStore } from './memory-store.js'
import type { Definitions } from './plan.js'
import type { RunWriter } from './writer.js'

const lineSchema = z.object({ id: z.string(), kept: z.record(z.string(), z.json()) })

/** What trials of one run left, by trial and role: a line each, in `memory.jsonl` of the run's folder. */
function openRunMemory(folder: string) {
  const path = join(folder, 'memory.jsonl')
  cutTornLine(path)
  const known = new Map<string, Record<string, Json>>()
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const line of text.split('\n')) {
    const stored = lineSchema.safeParse(parseJson(line)).data
    if (stored !== undefined) known.set(stored.id, stored.kept)
  }
  return {
    of: (trial: string) => known.get(trial) ?? null,
    store(trial: string, kept: Record<string, Json>): void {
      const file = openSync(path, 'a')
      try {
        appendLine(file, { id: trial, kept }, { sync: true })
      } catch (error) {
        throw unwritable(`"${path}"`, error, `go on with: npx sora-bench run --resume ${folder}`)
      } finally {
        closeSync(file)
      }
      known.set(trial, kept)
    },
  }
}

/** Carries what agents keep from trial to trial, in the plan's order. `within`: also what is persistent stays within the run. */
export async function openMemories(
  trials: readonly TrialIdentity[],
  definitions: Definitions,
  { folder, run, done }: Pick<RunWriter, 'folder' | 'run' | 'done'>,
  within = false,
) {
  const links = new Map<string, Link>()
  const last = new Map<string, TrialIdentity>()
  for (const trial of trials) {
    const link = linkOf(trial, definitions)
    if (link === null) continue
    const path = within ? null : link.path
    links.set(trial.id, { ...link, path, previous: last.get(link.chain) ?? null })
    last.set(link.chain, trial)
  }
  const inRun = [...links.values()].some(({ path }) => path === null) ? openRunMemory(folder) : null
  const open = trials.flatMap(({ id }) => (done.has(id) ? [] : [links.get(id)?.path ?? null]))
  const stores = await openStores(new Set(open.filter((path) => path !== null)))

  /** To begin with nothing would be another run than the one that is gone on with. */
  function leftBy({ id }: TrialIdentity): Record<string, Json> {
    const left = inRun?.of(id) ?? null
    if (left !== null) return left
    throw new UserError(`"${folder}" does not hold what "${id}" left to those after it. Begin a new run.`)
  }

  return {
    /** The trial that must have ended before this one may begin; null: none. */
    before: ({ id }: TrialIdentity) => links.get(id)?.previous ?? null,
    give(trial: TrialIdentity): TrialMemory {
      const link = links.get(trial.id)
      if (link === undefined) return freshMemory()
      if (link.path !== null) return freshMemory(stores.get(link.path)?.give(memoryKeyOf(trial, run)))
      return freshMemory(link.previous === null ? {} : leftBy(link.previous))
    },
    /** `sound`: the trial was no infrastructure error; one that was leaves what it was given. */
    take(trial: TrialIdentity, { given, kept }: TrialMemory, sound: boolean): void {
      const link = links.get(trial.id)
      if (link === undefined) return
      const left = sound ? { ...given, ...Object.fromEntries(kept) } : null
      if (link.path === null) inRun?.store(trial.id, left ?? given)
      else stores.get(link.path)?.take(memoryKeyOf(trial, run), left)
    },
    close(): void {
      for (const store of stores.values()) store.close()
    },
  }
}

/** All before the first trial, so that one that cannot be had costs nothing. */
async function openStores(paths: ReadonlySet<string>): Promise<Map<string, MemoryStore>> {
  const stores = new Map<string, MemoryStore>()
  if (paths.size === 0) return stores
  const { openMemoryStore } = await loadStore()
  try {
    for (const path of paths) stores.set(path, openMemoryStore(path))
  } catch (error) {
    for (const store of stores.values()) store.close()
    throw error
  }
  return stores
}

/** SQLite is native: it is loaded only by who needs it. */
async function loadStore(): Promise<typeof import('./memory-store.js')> {
  try {
    return await import('./memory-store.js')
  } catch (error) {
    const [reason] = reasonOf(error).split('\n')
    throw new UserError(`A persistent memory needs SQLite, which cannot be loaded on this machine: ${reason}.`)
  }
}

interface Link {
  chain: string
  /** Of a persistent memory. */
  path: string | null
  previous: TrialIdentity | null
}

/** Trials of one chain remember one another, and run one after the other. Null: nothing outlasts the trial. */
function linkOf(trial: TrialIdentity, { agents }: Definitions): Omit<Link, 'previous'> | null {
  const agent = agents.get(trial.agent)
  const lifetimes: Lifetime[] = agent === undefined ? [] : lifetimesOf(agent, trial.agentParams)
  const persistent = lifetimes.find((lifetime) => lifetime.kind === 'persistent')
  if (persistent !== undefined) {
    const path = resolve(persistent.path)
    return { chain: JSON.stringify([path]), path }
  }
  if (!lifetimes.some(({ kind }) => kind === 'run')) return null
  const { scenario, agentParams, model, thinking, replica } = trial
  const parts = [scenario.environment, scenario.params, trial.agent, agentParams, model, thinking, replica]
  return { chain: JSON.stringify(parts), path: null }
}

/** In a store several agents and worlds may live side by side. */
const memoryKeyOf = ({ id, agent, scenario }: TrialIdentity, run: string): MemoryKey => ({
  memory: JSON.stringify([agent, scenario.environment]),
  run,
  trial: id,
})
