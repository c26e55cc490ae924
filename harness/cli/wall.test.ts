import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cli, scratch } from '../testing/cli.js'

const run = (out: string, ...more: string[]) =>
  cli('run', 'smoke', '--scenarios', '1', '--agents', 's-ora', '--model', 'sim:careful', '--out', out, ...more)

const out = scratch()
let wall: Awaited<ReturnType<typeof cli>>
beforeAll(async () => {
  wall = await run(out, '--clock', 'wall:20')
})

test('a run on the wall clock solves what is solved on the virtual one, and its report says what that is worth', () => {
  expect(wall).toMatchObject({ code: 0 })
  expect(wall.out).toMatch(/s-ora +1 +100 %/)
  expect(wall.out).toMatch(/Real time decided \(wall:20\): these trials do not come back\./)
})

test('its trials are not played again, with the reason', async () => {
  const { code, err } = await cli('replay', 's-ora/sim:careful/0', '--run', out)
  expect(code).toBe(2)
  expect(err).toMatch(/ran on the wall:20 clock: only virtual time comes back\.\n$/)
})

test('it is not compared with a run on another clock', async () => {
  const other = scratch()
  await run(other)
  const { code, err } = await cli('compare', other, out)
  expect(code).toBe(2)
  expect(err).toMatch(/the clock policy differs \(virtual → wall:20\)/)
})

test('results of two clocks in one folder are refused', async () => {
  const path = join(out, 'trials.jsonl')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text + text.replace('"clock":"wall:20"', '"clock":"virtual"'))
  const { code, err } = await cli('report', out)
  writeFileSync(path, text)
  expect(code).toBe(2)
  expect(err).toMatch(/mixes clocks: its run\.json says wall:20, but the trial ".*" ran on virtual\.\n$/)
})

test.each(['sundial', 'wall:0', 'wall:-1', 'wall:x', 'wall:'])('--clock %s is a mistake of the user', async (clock) => {
  const { code, err } = await run(scratch(), '--clock', clock)
  expect(code).toBe(2)
  expect(err).toMatch(/^The options do not make a suite: --clock: .*wall/)
})
