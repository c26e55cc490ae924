import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../define/index.js'
import type { Json } from '../define/index.js'
import { makeFolder } from './folder.js'
import { lockRun } from './lock.js'

const values = z.record(z.string(), z.json())
const storeSchema = z.object({ version: z.literal(1), memories: values })
const lineSchema = z.object({ id: z.string(), kept: values })

/** What trials of one run left, by trial and role: a line each, in `memory.jsonl` of the run's folder. */
export interface RunMemory {
  of(trial: string): Record<string, Json> | null
  store(trial: string, kept: Record<string, Json>): void
}

export function openRunMemory(folder: string): RunMemory {
  const path = join(folder, 'memory.jsonl')
  const known = new Map<string, Record<string, Json>>()
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const line of text.split('\n')) {
    const stored = lineSchema.safeParse(parse(line)).data
    if (stored !== undefined) known.set(stored.id, stored.kept)
  }
  // A line that a killed process was writing must not swallow the next one.
  let torn = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    of: (trial) => known.get(trial) ?? null,
    store(trial, kept) {
      known.set(trial, kept)
      const file = openSync(path, 'a')
      writeSync(file, `${torn}${JSON.stringify({ id: trial, kept })}\n`)
      torn = ''
      fsyncSync(file)
      closeSync(file)
    },
  }
}

/** Memories that outlive a run: one JSON file in a folder of its own, replaced whole or not at all. */
export interface MemoryStore {
  get(key: string): Json
  set(key: string, value: Json): void
  /** Lets other processes have it. */
  close(): void
}

/** Takes the folder for this process; one that another process has, or that is damaged, is the user's to know. */
export function openMemoryStore(folder: string, now: Date): MemoryStore {
  makeFolder(folder)
  const release = lockRun(folder, now)
  const path = join(folder, 'memory.json')
  const memories = new Map(existsSync(path) ? Object.entries(read(path, release)) : [])
  return {
    get: (key) => memories.get(key) ?? null,
    set(key, value) {
      memories.set(key, value)
      const next = `${path}.next`
      const text = JSON.stringify({ version: 1, memories: Object.fromEntries(memories) })
      writeFileSync(next, `${text}\n`, { flush: true })
      renameSync(next, path)
    },
    close: release,
  }
}

function read(path: string, release: () => void): Record<string, Json> {
  const stored = storeSchema.safeParse(parse(readFileSync(path, 'utf8')))
  if (stored.success) return stored.data.memories
  release()
  throw new UserError(`"${path}" holds no memory that this version can read. Name another folder, or delete the file.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
