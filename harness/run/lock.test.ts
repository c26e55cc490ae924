import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../contract/index.js'
import { lockRun } from './lock.js'

const now = new Date('2026-01-02T03:04:05.000Z')
/** No process has it: the largest id of Linux is 4 194 304. */
const NOBODY = 5_000_000

function staleFolder(holder: object = { pid: NOBODY }): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  const lock = { pid: process.pid, host: hostname(), since: '2026-01-01T00:00:00.000Z', ...holder }
  writeFileSync(join(folder, 'lock'), JSON.stringify(lock))
  return folder
}

const holderIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))
const ours: unknown = expect.objectContaining({ pid: process.pid, since: now.toISOString() })

test.each(['read', 'replacing'] as const)(
  'of two that have both read a stale lock one wins, wherever the other stands still: %s',
  (moment) => {
    const folder = staleFolder()
    const release: (() => void)[] = []
    const refused: unknown[] = []
    const attempt = (step?: (at: 'read' | 'replacing') => void): void => {
      try {
        release.push(lockRun(folder, now, step))
      } catch (error) {
        refused.push(error)
      }
    }
    attempt((at) => {
      if (at === moment) attempt()
    })
    expect([release.length, refused]).toEqual([1, [expect.any(UserError)]])
    expect([holderIn(folder), readdirSync(folder)]).toEqual([ours, ['lock']])
    release[0]?.()
    expect(readdirSync(folder)).toEqual([])
  },
)

test('who comes late to a stale lock that another has taken and given back takes it as a free one', () => {
  const folder = staleFolder()
  let came = 0
  const release = lockRun(folder, now, (at) => {
    if (at === 'read' && came++ === 0) lockRun(folder, now)()
  })
  expect([came, holderIn(folder)]).toEqual([1, ours])
  release()
  expect(readdirSync(folder)).toEqual([])
})

test('a lock whose taker died over it is taken with all that it left', () => {
  const folder = staleFolder()
  const guards: string[] = []
  expect(() =>
    lockRun(folder, now, (at) => {
      if (at !== 'replacing') return
      guards.push(...readdirSync(folder).filter((file) => file.includes('after')))
      throw new Error('The taker is killed here.')
    }),
  ).toThrow('killed')
  expect(guards).toEqual([expect.stringMatching(/^lock\.after-[0-9a-f]{12}$/)])
  writeFileSync(join(folder, guards[0] ?? ''), JSON.stringify({ pid: NOBODY, host: hostname(), since: 'then' }))
  lockRun(folder, now)()
  expect(readdirSync(folder)).toEqual([])
})

test('a live process is told from a dead one that had its number', () => {
  expect(() => lockRun(staleFolder({}), now)).toThrow(`is in use by process ${process.pid} on ${hostname()}`)
  const folder = staleFolder({ born: '1' })
  lockRun(folder, now)
  expect(holderIn(folder)).toEqual(ours)
})

test('a process of another machine is never taken for dead', () => {
  expect(() => lockRun(staleFolder({ pid: NOBODY, host: 'elsewhere' }), now)).toThrow('on elsewhere since')
})
