import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Json } from '../define/index.js'

const lineSchema = z.object({ id: z.string(), kept: z.record(z.string(), z.json()) })

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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
