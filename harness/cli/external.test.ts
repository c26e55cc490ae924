import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRun, tracePath } from '../run/store.js'
import { cli, scratch } from '../testing/cli.js'
import { outside } from '../testing/plug-in-files.js'
import { readTrace } from '../trace/file.js'
import { recordsOf } from '../trace/records.js'

const example = fileURLToPath(new URL('../../examples/even-odd-python', import.meta.url))

test('python3 is there for the tests of agents that are programs', () => {
  const { status, error } = spawnSync('python3', ['--version'])
  expect(status, `These tests need python3 in the PATH: install Python 3. ${error?.message ?? ''}`).toBe(0)
})

test('an agent of 60 lines in the standard library of Python plays even-odd as ODD against S-ORA as EVEN', async () => {
  const folder = outside()
  cpSync(example, folder, { recursive: true })
  const program = readFileSync(join(folder, 'even_odd.py'), 'utf8')
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  expect(program.match(/^(import|from) .*/gm)).toEqual(['import itertools, json, re, sys, time, urllib.request'])

  const out = scratch()
  const team = `ODD=${join(folder, 'even-odd-python.agent.ts')}+EVEN=s-ora`
  const run = ['run', 'smoke', '--scenarios', '2', '--environments', 'even-odd', '--model', 'sim:careful']
  const { code, out: report } = await cli(...run, '--agents', team, '--clock', 'wall:40', '--out', out)
  expect(code).toBe(0)
  expect(report).toMatch(/\* ODD=even-odd-python\+EVEN=s-ora: without what its programs use\. They report nothing\./)

  const { header, lines } = readRun(out)
  expect(header.clock).toBe('wall:40')
  expect(lines.map(({ outcome }) => outcome)).toEqual(['solved', 'solved'])
  expect(header.versions['ODD=even-odd-python+EVEN=s-ora']).toMatch(
    /^ODD=1 \(even-odd-python\.agent\.ts sha256:\w{16}\)/,
  )
  for (const { identity } of lines) {
    const { trace } = await readTrace(tracePath(out, identity))
    const increments = recordsOf(trace, 'operation').filter(({ action }) => action === 'inc')
    expect(increments.map(({ role }) => role)).toEqual(['ODD', 'EVEN', 'ODD', 'EVEN', 'ODD'])
    expect(
      recordsOf(trace, 'claim')
        .map(({ role, claim }) => `${role} ${claim}`)
        .toSorted(),
    ).toEqual(['EVEN achieved', 'ODD achieved'])
    expect(new Set(recordsOf(trace, 'poll').map(({ role }) => role))).toEqual(new Set(['ODD']))
    expect(new Set(recordsOf(trace, 'request').map(({ role }) => role))).toEqual(new Set(['EVEN']))
  }
})

test('what the program is belongs to the version of its agent', async () => {
  const folder = outside()
  cpSync(example, folder, { recursive: true })
  const file = join(folder, 'even-odd-python.agent.ts')
  const before = (await cli('describe', file)).out
  appendFileSync(join(folder, 'even_odd.py'), '# Another one.\n')
  const after = (await cli('describe', file)).out
  expect(before).toMatch(/sha256:\w{16}/)
  expect(/sha256:\w{16}/.exec(after)?.[0]).not.toBe(/sha256:\w{16}/.exec(before)?.[0])
})

test('without the wall clock it is the mistake of the user', async () => {
  const file = join(example, 'even-odd-python.agent.ts')
  const { code, err } = await cli('run', 'smoke', '--environments', 'even-odd', '--agents', file, '--out', scratch())
  expect([code, err]).toEqual([
    2,
    'even-odd-python is a program of its own: it lives in real time. Add --clock wall, or clock: wall to the suite.\n',
  ])
})
