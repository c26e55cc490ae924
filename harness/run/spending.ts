import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Spent } from '../model/purse.js'
import { appendLine, cutTornLine, parseJson, unwritable } from './disk.js'

const spentSchema = z.object({
  model: z.string(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  costUsd: z.number().nullable(),
  lost: z.literal(true).optional(),
})

const pathIn = (folder: string): string => join(folder, 'spending.jsonl')

/** What a run has spent so far, a call each, those of trials included that were cut and will be done again. */
export function readSpending(folder: string): Spent[] {
  const path = pathIn(folder)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.flatMap((line) => spentSchema.safeParse(parseJson(line)).data ?? [])
}

/** Each call as it is paid for, so that a killed run knows what it has cost. */
export function openSpending(folder: string): { append(spent: Spent): void; close(): void } {
  const path = pathIn(folder)
  cutTornLine(path)
  const file = openSync(path, 'a')
  return {
    append(spent) {
      try {
        appendLine(file, spent, { sync: false })
      } catch (error) {
        throw unwritable(`"${path}"`, error, `go on with: npx sora-bench run --resume ${folder}`)
      }
    },
    close: () => closeSync(file),
  }
}
