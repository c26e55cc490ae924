import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'
import { UserError } from '../contract/index.js'
import type { Json } from '../contract/index.js'
import { DiskError, makeFolder } from './disk.js'

/** Whose memory it is, and which trial of which run leaves or finds it. */
export interface MemoryKey {
  memory: string
  run: string
  trial: string
}

type Database = InstanceType<typeof DatabaseSync>
/** By role. */
type Roles = Record<string, Json>

/** "sora" in the header of the file tells ours from other databases. */
const APPLICATION = 0x73_6f_72_61
const VERSION = 1
/** Of each memory so many rows are held, for trials that are done again. */
const HELD = 100
/** For a process that is just ending. */
const BUSY_TIMEOUT_MS = 1_000

const SCHEMA = `
  CREATE TABLE kept (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    memory TEXT NOT NULL,
    run TEXT NOT NULL,
    trial TEXT NOT NULL,
    after INTEGER, -- the row that the trial was given
    value TEXT NOT NULL, -- JSON by role
    UNIQUE (memory, run, trial)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};`

const INSERT = 'INSERT INTO kept (memory, run, trial, after, value) VALUES (?, ?, ?, ?, ?)'
const FORGET =
  'DELETE FROM kept WHERE memory = ? AND n NOT IN (SELECT n FROM kept WHERE memory = ? ORDER BY n DESC LIMIT ?)'

const rowSchema = z.object({ n: z.number(), after: z.number().nullable(), value: z.string() })
type Row = z.output<typeof rowSchema>
const rolesSchema = z.record(z.string(), z.json())

/** Memories that outlive a run: an SQLite database in a folder of its own, for one process at a time. */
export type MemoryStore = ReturnType<typeof openMemoryStore>

/** Takes the folder for this process. One that another has, that is not ours, newer or damaged is the user's to know. */
export function openMemoryStore(folder: string) {
  const path = join(folder, 'memory.sqlite')
  const database = telling(path, () => {
    makeFolder(folder)
    return takeDatabase(path)
  })
  const row = (where: string, ...values: (string | number)[]): Row | null =>
    rowSchema
      .nullable()
      .parse(database.prepare(`SELECT n, after, value FROM kept WHERE ${where}`).get(...values) ?? null)
  const latest = ({ memory }: MemoryKey) => row('memory = ? ORDER BY n DESC LIMIT 1', memory)
  const own = ({ memory, run, trial }: MemoryKey) => row('memory = ? AND run = ? AND trial = ?', memory, run, trial)

  return {
    /** What the last trial left; to one that is done again what it was given the first time, so never what it left itself. */
    give: (key: MemoryKey): Roles =>
      telling(path, () => {
        const before = own(key)
        const given = before === null ? latest(key) : before.after === null ? null : row('n = ?', before.after)
        return given === null ? {} : rolesSchema.parse(JSON.parse(given.value))
      }),
    /** Takes the place of what the trial had left before; null: it leaves nothing. Where others have built on that, it stays. */
    take: (key: MemoryKey, left: Roles | null): void =>
      telling(path, () => {
        const [before, last] = [own(key), latest(key)]
        if (before !== null && before.n !== last?.n) return
        const after = before === null ? (last?.n ?? null) : before.after
        const { memory, run, trial } = key
        database.exec('BEGIN')
        if (before !== null) database.prepare('DELETE FROM kept WHERE n = ?').run(before.n)
        if (left !== null) database.prepare(INSERT).run(memory, run, trial, after, JSON.stringify(left))
        database.prepare(FORGET).run(memory, memory, HELD)
        database.exec('COMMIT')
      }),
    /** Lets other processes have it. */
    close: () => release(database),
  }
}

/** The lock is the operating system's: it ends with the process, however that ends. */
function takeDatabase(path: string): Database {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE')
    if (single(database, 'SELECT count(*) FROM sqlite_schema') === 0) database.exec(SCHEMA)
    if (single(database, 'PRAGMA application_id') !== APPLICATION) {
      throw new UserError(`"${path}" is a database, but no memory of sora-bench. Name another folder.`)
    }
    const version = single(database, 'PRAGMA user_version')
    if (version !== VERSION) {
      throw new UserError(
        `"${path}" was written by a newer version (format ${String(version)}, this one reads ${VERSION}). ` +
          'Update sora-bench, or name another folder.',
      )
    }
    if (single(database, 'PRAGMA quick_check(1)') !== 'ok') throw damaged(path)
    database.exec('COMMIT')
    return database
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema')
    database.close()
    throw error
  }
}

/** Statements that nobody has collected yet keep a closed database open, and with it its lock. */
function release(database: Database): void {
  if (database.isTransaction) database.exec('ROLLBACK')
  database.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM kept LIMIT 1')
  database.close()
}

function single(database: Database, query: string): unknown {
  const found: unknown = database.prepare(query).get()
  return Object.values(z.record(z.string(), z.unknown()).parse(found))[0]
}

/** Turns what SQLite or the file system says into a sentence. */
function telling<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError) throw error
    if (error instanceof z.ZodError || error instanceof SyntaxError) throw damaged(path)
    const known = errorSchema.safeParse(error).data
    if (known === undefined) throw error
    // The lower byte is the primary code: https://sqlite.org/rescode.html
    switch (known.errcode & 0xff) {
      case 5:
      case 6:
        throw new UserError(
          `"${path}" is in use by another process. Wait until that has ended, or name another folder.`,
        )
      case 11:
      case 26:
        throw damaged(path)
      case 10:
      case 13:
        throw new DiskError(`"${path}" cannot be written: ${known.message}. Make room, then resume the run.`)
      default:
        throw new UserError(`"${path}" cannot be used: ${known.message}. Name another folder.`)
    }
  }
}

/** What the file system throws has a code of letters, and no `errcode`. */
const errorSchema = z.object({ code: z.string(), errcode: z.number().default(0), message: z.string() })

const damaged = (path: string): UserError =>
  new UserError(`"${path}" is damaged, or no memory of sora-bench. Name another folder, or move the file away.`)
