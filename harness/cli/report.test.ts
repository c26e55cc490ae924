import { beforeAll, expect, test } from 'vitest'
import { cli, scratch } from '../testing/cli.js'

const [careful, typical, again] = [scratch(), scratch(), scratch()]
const run = (model: string, out: string) =>
  cli(
    'run',
    'smoke',
    '--agents',
    'react-sync,s-ora',
    '--scenarios',
    '1',
    '--model',
    model,
    '--traces',
    'none',
    '--out',
    out,
  )
beforeAll(async () => {
  await run('sim:careful', careful)
  await run('sim:typical', typical)
  await run('sim:careful', again)
})

test('two runs of two models stand in one table, and in one summary', async () => {
  const { code, out } = await cli('report', careful, typical)
  expect(code).toBe(0)
  for (const name of ['sim:careful', 'sim:typical', 's-ora', 'react-sync']) expect(out).toContain(name)
  const { trials, groups } = JSON.parse((await cli('report', careful, typical, '--json')).out)
  expect([trials, groups.map(({ model }: { model: string }) => model)]).toEqual([
    4,
    ['sim:careful', 'sim:careful', 'sim:typical', 'sim:typical'],
  ])
})

test('runs that hold the same trials are for compare, and files are for one run', async () => {
  const same = await cli('report', careful, again)
  expect([same.code, same.err]).toEqual([
    2,
    expect.stringMatching(/both hold the trial "water-hammer\/react-sync\/sim:careful\/0"/),
  ])
  const file = await cli('report', careful, typical, '-o', 'table.md')
  expect([file.code, file.err]).toEqual([
    2,
    expect.stringContaining('--output is for one run: of 2 runs a table is printed'),
  ])
})
