import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TrialLine } from '../contract/index.js'
import { cli, scratch } from '../testing/cli.js'

const smoke = ['run', 'smoke', '--agents', 's-ora', '--model', 'sim:careful?waitTimeoutMs=5000', '--scenarios', '1']

test('a sweep over lost doorbells is told apart at every point, and perfect delivery adds nothing to an identity', async () => {
  const folder = scratch()
  const { code, out } = await cli(...smoke, '--grid', 'doorbellDrop=0,1', '--out', folder)
  expect(code).toBe(0)
  expect(out).toMatch(/^water-hammer doorbellDrop=0 /m)
  expect(out).toMatch(/^water-hammer doorbellDrop=1 /m)
  const lines = readFileSync(join(folder, 'trials.jsonl'), 'utf8').trim().split('\n')
  const drops = lines.map((line) => {
    const { identity }: TrialLine = JSON.parse(line)
    return [identity.id.split('/')[0], identity.scenario.params['doorbellDrop']]
  })
  expect(drops).toEqual([
    ['water-hammer[doorbellDrop=0]', undefined],
    ['water-hammer[doorbellDrop=1]', 1],
  ])
  const trial = 'water-hammer[doorbellDrop=1]/s-ora/sim:careful?waitTimeoutMs=5000/0'
  expect((await cli('trace', trial, '--run', folder)).out).toMatch(/the doorbell of the log is lost/)
  expect((await cli('replay', trial, '--run', folder)).code).toBe(0)
})

test('a requirement may name a point of perfect delivery', async () => {
  const asked = async (selector: string) =>
    (await cli(...smoke, '--grid', 'doorbellDrop=0,1', '--require', selector, '--out', scratch())).code
  expect(await asked('s-ora@water-hammer[doorbellDrop=0].resyncs<3')).toBe(0)
  expect(await asked('s-ora@water-hammer[doorbellDrop=1].resyncs<3')).toBe(100)
})

test('describe shows delivery beside the parameters of an environment, and of no agent', async () => {
  expect((await cli('describe', 'water-hammer')).out).toMatch(
    /delivery of doorbells, state and documents, in every world.*\n\s+doorbellDrop\s+number\s+0 to 1\s+default 0\s+Share of the doorbells that are lost/,
  )
  expect((await cli('describe', 's-ora')).out).not.toContain('doorbellDrop')
})

test.each([
  [
    ['--param', 'doorbelDrop=1'],
    /^No parameter "doorbelDrop" in "doorbelDrop=1"\. Known: .*water-hammer\.doorbellDrop/,
  ],
  [['--param', 'doorbellDrop=2'], /^Parameters of water-hammer do not fit: doorbellDrop = 2: /],
])('%j is answered with the way out', async (options, message) => {
  const { code, err } = await cli(...smoke, ...options)
  expect([code, message.test(err)]).toEqual([2, true])
})
