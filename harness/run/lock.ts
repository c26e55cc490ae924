import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../contract/index.js'

const holderSchema = z.object({ pid: z.number().int(), host: z.string(), since: z.string() })

/**
 * Takes a run's folder for this process, and returns its release. Another live process is named; what a dead process
 * of this machine left behind is taken over.
 */
export function lockRun(folder: string, now: Date): () => void {
  const path = join(folder, 'lock')
  const own = `${path}.${process.pid}`
  const holder = JSON.stringify({ pid: process.pid, host: hostname(), since: now.toISOString() })
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      // A link brings name and content at once: nobody sees a lock without its holder.
      writeFileSync(own, holder)
      linkSync(own, path)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      refuseIfHeld(folder, path)
      rmSync(path, { force: true })
    } finally {
      rmSync(own, { force: true })
    }
  }
  throw new UserError(`Another process has just taken "${folder}". Try again when it has ended.`)
}

function refuseIfHeld(folder: string, path: string): void {
  const holder = readHolder(path)
  if (holder === null || (holder.host === hostname() && !isAlive(holder.pid))) return
  throw new UserError(
    `"${folder}" is in use by process ${holder.pid} on ${holder.host} since ${holder.since}. ` +
      `Wait until it has ended, or delete "${path}" if it is gone.`,
  )
}

/** Null for a lock that its holder did not live to write. */
function readHolder(path: string): z.output<typeof holderSchema> | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
