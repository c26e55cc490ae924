import { hash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import { hasCode, parseJson } from './disk.js'

const holderSchema = z.object({
  pid: z.number().int(),
  host: z.string(),
  since: z.string(),
  /** When the process began, in the words of this machine: its number alone may belong to another one by now. */
  born: z.string().nullable().default(null),
})

/**
 * Takes a run's folder for this process, and returns its release. Another live process is named; what a dead process
 * of this machine left behind is taken over. `step` is called where another process may come in between.
 */
export function lockRun(folder: string, now: Date, step: (at: 'read' | 'replacing') => void = () => {}): () => void {
  const { pid } = process
  const holder = JSON.stringify({ pid, host: hostname(), since: now.toISOString(), born: birthOf(pid) })

  /**
   * A lock changes hands by one atomic step: from nobody by a link, from a dead process by a rename. The rename is done
   * only by who holds a second lock, named after that dead process, and has seen that the first one is still its:
   * whoever read it earlier and comes late replaces nothing. A taker that dies over it leaves a stale lock as any other.
   */
  function take(path: string): void {
    const own = `${path}.${randomUUID()}`
    writeFileSync(own, holder)
    try {
      // A link brings name and content at once: nobody sees a lock without its holder.
      linkSync(own, path)
      return
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      const stale = readLock(path)
      if (stale !== null) {
        refuseIfAlive(folder, path, stale)
        step('read')
        const guard = `${path}.after-${hash('sha256', stale, 'hex').slice(0, 12)}`
        take(guard)
        try {
          step('replacing')
          if (readLock(path) === stale) return renameSync(own, path)
        } finally {
          rmSync(guard, { force: true })
        }
      }
    } finally {
      rmSync(own, { force: true })
    }
    take(path)
  }

  const path = join(folder, 'lock')
  take(path)
  // Whoever deleted the lock by hand may have let in somebody else.
  return () => {
    if (readLock(path) === holder) rmSync(path)
  }
}

function refuseIfAlive(folder: string, path: string, text: string): void {
  const holder = holderSchema.safeParse(parseJson(text)).data
  // There is none where its holder did not live to write the lock.
  if (holder === undefined || (holder.host === hostname() && !isAlive(holder))) return
  throw new UserError(
    `"${folder}" is in use by process ${holder.pid} on ${holder.host} since ${holder.since}. ` +
      `Wait until it has ended, or delete "${path}" if it is gone.`,
  )
}

/** Null where nobody holds it any more. */
function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

function isAlive({ pid, born }: z.output<typeof holderSchema>): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // It lives, but belongs to somebody else.
    if (!hasCode(error, 'EPERM')) return false
  }
  return born === null || birthOf(pid) === null || birthOf(pid) === born
}

/** Null where the system does not tell. */
function birthOf(pid: number): string | null {
  try {
    // The name, in brackets, may hold spaces; the start is the 22nd field: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null
  } catch {
    return null
  }
}
