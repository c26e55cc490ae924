import { z } from 'zod'
import { UserError } from '../define/index.js'
import type { Json, Lifetime, TrialIdentity } from '../define/index.js'
import { freshMemory, lifetimesOf } from './memory.js'
import type { TrialMemory } from './memory.js'
import { openMemoryStore, openRunMemory } from './memory-file.js'
import type { MemoryStore } from './memory-file.js'
import type { Definitions } from './plan.js'

/** Carries what agents keep from trial to trial, in the plan's order. */
export interface Memories {
  /** The trial that must have ended before this one may begin; null: none. */
  before(trial: TrialIdentity): TrialIdentity | null
  give(trial: TrialIdentity): TrialMemory
  /** `sound`: the trial was no infrastructure error; one that was leaves what it was given. */
  take(trial: TrialIdentity, memory: TrialMemory, sound: boolean): void
  close(): void
}

export function openMemories(
  trials: readonly TrialIdentity[],
  { definitions, folder }: { definitions: Definitions; folder: string },
): Memories {
  const stores = new Map<string, MemoryStore>()
  const links = new Map<string, Link>()
  const last = new Map<string, TrialIdentity>()
  for (const trial of trials) {
    const link = linkOf(trial, definitions)
    if (link === null) continue
    links.set(trial.id, { ...link, previous: last.get(link.chain) ?? null })
    last.set(link.chain, trial)
  }
  const run = [...links.values()].some(({ path }) => path === null) ? openRunMemory(folder) : null

  function storeAt(path: string): MemoryStore {
    const store = stores.get(path) ?? openMemoryStore(path, new Date())
    stores.set(path, store)
    return store
  }

  /** To begin with nothing would be another run than the one that is gone on with. */
  function leftBy({ id }: TrialIdentity): Record<string, Json> {
    const left = run?.of(id) ?? null
    if (left !== null) return left
    throw new UserError(`"${folder}" does not hold what "${id}" left to those after it. Begin a new run.`)
  }

  return {
    before: ({ id }) => links.get(id)?.previous ?? null,
    give(trial) {
      const link = links.get(trial.id)
      if (link === undefined) return freshMemory()
      if (link.path === null) return freshMemory(link.previous === null ? {} : leftBy(link.previous))
      return freshMemory(rolesIn(storeAt(link.path).get(keyOf(trial))))
    },
    take(trial, { given, kept }, sound) {
      const link = links.get(trial.id)
      if (link === undefined) return
      const left = sound ? { ...given, ...Object.fromEntries(kept) } : given
      if (link.path === null) run?.store(trial.id, left)
      else storeAt(link.path).set(keyOf(trial), left)
    },
    close() {
      for (const store of stores.values()) store.close()
    },
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
  for (const lifetime of lifetimes) {
    if (lifetime.kind === 'persistent') return { chain: JSON.stringify([lifetime.path]), path: lifetime.path }
  }
  if (!lifetimes.some(({ kind }) => kind === 'run')) return null
  const { scenario, agentParams, model, thinking, replica } = trial
  const parts = [scenario.environment, scenario.params, trial.agent, agentParams, model, thinking, replica]
  return { chain: JSON.stringify(parts), path: null }
}

/** In a store several agents and worlds may live side by side. */
const keyOf = ({ agent, scenario }: TrialIdentity): string => JSON.stringify([agent, scenario.environment])

const byRole = z.record(z.string(), z.json())
const rolesIn = (stored: Json): Record<string, Json> => byRole.safeParse(stored).data ?? {}
