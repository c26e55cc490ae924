import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { UserError } from '../contract/index.js'
import { scratch } from '../testing/cli.js'
import { openMemoryStore } from './memory-store.js'

const at = (trial: string, run = 'run 1') => ({ memory: 'mine', run, trial })
const fileOf = (folder: string): string => join(folder, 'memory.sqlite')
const complaintOf = (folder: string): string => {
  try {
    openMemoryStore(folder).close()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  return ''
}

test('What a trial left is given to the next one, of any run, and to no other memory.', () => {
  const folder = scratch()
  const first = openMemoryStore(folder)
  expect(first.give(at('0'))).toEqual({})
  first.take(at('0'), { reader: { read: ['a', 1, null] } })
  expect(first.give(at('1'))).toEqual({ reader: { read: ['a', 1, null] } })
  first.close()
  const second = openMemoryStore(folder)
  expect([second.give(at('0', 'run 2')), second.give({ ...at('0'), memory: 'yours' })]).toEqual([
    { reader: { read: ['a', 1, null] } },
    {},
  ])
  second.close()
})

test('A trial that is done again is given what it was given, and what it leaves takes the place of what it left.', () => {
  const store = openMemoryStore(scratch())
  store.take(at('0'), { r: 'from 0' })
  store.take(at('1'), { r: 'from 1' })
  expect(store.give(at('1'))).toEqual({ r: 'from 0' })
  store.take(at('1'), { r: 'from 1, again' })
  expect([store.give(at('1')), store.give(at('2'))]).toEqual([{ r: 'from 0' }, { r: 'from 1, again' }])
  store.take(at('1'), null)
  expect(store.give(at('2'))).toEqual({ r: 'from 0' })
  store.close()
})

test('Where another run has built on what a trial left, doing the trial again loses nothing of that.', () => {
  const store = openMemoryStore(scratch())
  store.take(at('0'), { r: '0' })
  store.take(at('0', 'run 2'), { r: '0 and more' })
  expect(store.give(at('0'))).toEqual({})
  store.take(at('0'), { r: '0, again' })
  expect(store.give(at('1'))).toEqual({ r: '0 and more' })
  store.close()
})

test('Of a memory no more than the last hundred rows are held.', () => {
  const folder = scratch()
  const store = openMemoryStore(folder)
  for (let trial = 0; trial < 103; trial++) store.take(at(String(trial)), { r: trial })
  store.close()
  const database = new DatabaseSync(fileOf(folder))
  expect(database.prepare('SELECT count(*) AS rows, min(trial) AS first FROM kept').get()).toEqual({
    rows: 100,
    first: '10',
  })
  database.close()
})

test('A database that is damaged, another program’s, of a later version, or no database is refused, and left as it is.', () => {
  const [torn, foreign, later, text] = [scratch(), scratch(), scratch(), scratch()]
  for (const folder of [torn, later]) {
    const store = openMemoryStore(folder)
    store.take(at('0'), { r: 'x'.repeat(20_000) })
    store.close()
  }
  const bytes = readFileSync(fileOf(torn))
  writeFileSync(fileOf(torn), bytes.subarray(0, 6_000))
  for (const folder of [foreign, text]) mkdirSync(folder, { recursive: true })
  for (const [folder, statement] of [
    [foreign, 'CREATE TABLE songs (title TEXT)'],
    [later, 'PRAGMA user_version = 9'],
  ] as const) {
    const database = new DatabaseSync(fileOf(folder))
    database.exec(statement)
    database.close()
  }
  writeFileSync(fileOf(text), 'no database '.repeat(200))
  const folders = [torn, foreign, later, text]
  const before = folders.map((folder) => readFileSync(fileOf(folder)))
  expect(folders.map((folder) => complaintOf(folder).replace(fileOf(folder), 'FILE'))).toEqual([
    '"FILE" is damaged, or no memory of sora-bench. Name another folder, or move the file away.',
    '"FILE" is a database, but no memory of sora-bench. Name another folder.',
    '"FILE" was written by a newer version (format 9, this one reads 1). Update sora-bench, or name another folder.',
    '"FILE" is damaged, or no memory of sora-bench. Name another folder, or move the file away.',
  ])
  expect(folders.map((folder) => readFileSync(fileOf(folder)))).toEqual(before)
})

test('A row that holds no memory is damage.', () => {
  const folder = scratch()
  const store = openMemoryStore(folder)
  store.take(at('0'), { r: 1 })
  store.close()
  const database = new DatabaseSync(fileOf(folder))
  database.exec(`UPDATE kept SET value = '[1'`)
  database.close()
  const again = openMemoryStore(folder)
  expect(() => again.give(at('1'))).toThrow('is damaged, or no memory of sora-bench.')
  again.close()
})

test('A folder that cannot be made is named, with the reason.', () => {
  const folder = join(scratch(), 'file', 'below')
  mkdirSync(join(folder, '..', '..'), { recursive: true })
  writeFileSync(join(folder, '..'), '')
  expect(complaintOf(folder)).toMatch(/memory\.sqlite" cannot be used: (ENOTDIR|EEXIST).*\. Name another folder\.$/)
})

test('Another process is refused while one has the store, loses nothing, and gets it when that one is killed.', async () => {
  const folder = scratch()
  const store = openMemoryStore(folder)
  store.take(at('0'), { r: 'kept' })
  expect(complaintOf(folder)).toBe(
    `"${fileOf(folder)}" is in use by another process. Wait until that has ended, or name another folder.`,
  )
  const sqlite = createRequire(import.meta.url).resolve('@photostructure/sqlite')
  const statements = (then: string): string => `
    const { DatabaseSync } = require(${JSON.stringify(sqlite)})
    const database = new DatabaseSync(${JSON.stringify(fileOf(folder))})
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE kept SET value = '{}'")
      ${then}
    } catch (error) { console.log(error.message) }`
  const other = async (then: string): Promise<string> => {
    const run = promisify(execFile)(process.execPath, ['-e', statements(then)])
    return (await run.catch((error: unknown) => ({ stdout: String(error).includes('Command failed') ? 'killed' : '' })))
      .stdout
  }
  expect(await other('')).toBe('database is locked\n')
  store.close()
  expect(await other(`process.kill(process.pid, 'SIGKILL')`)).toBe('killed')
  const again = openMemoryStore(folder)
  expect(again.give(at('1'))).toEqual({ r: 'kept' })
  again.close()
})
