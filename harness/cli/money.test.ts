import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { serveModels } from '../run/model-server.js'
import { readSpending } from '../run/spending.js'
import { readRun } from '../run/store.js'
import { cli, scratch } from '../testing/cli.js'
import { thousands } from '../trace/text.js'

let server: Awaited<ReturnType<typeof serveModels>>
beforeAll(async () => {
  server = await serveModels({ models: new Map([['mini', 'sim:careful']]), port: 0, faults: [], seed: 1 })
})
afterAll(() => server.close())
beforeEach(() => vi.stubEnv('OPENAI_BASE_URL', server.url))
afterEach(() => vi.unstubAllEnvs())

const priced = 'mini?price.input=2&price.output=10&maxTokens=300'
const runOf = (scenarios: number, ...more: string[]) =>
  cli('run', 'smoke', '--agents', 'react-sync', '--scenarios', String(scenarios), '--yes', '--traces', 'none', ...more)
const lines = (folder: string): string => readFileSync(join(folder, 'trials.jsonl'), 'utf8')
const spentIn = (folder: string): number => readSpending(folder).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)

test('of 200 trials as many are played as the money allows; the run stops with one sentence, and goes on with more', async () => {
  const folder = scratch()
  const first = await runOf(200, '--model', priced, '--max-cost', '0.5', '--out', folder)
  expect(first.code).toBe(3)
  expect(first.err).toMatch(
    /The budget of 0\.5 USD has no room for another call: 0\.4\d+ USD are spent, and it may take 0\.\d+\. Raise --max-cost\. Go on with: npx sora-bench run --resume /,
  )
  const played = readRun(folder).lines.length
  expect([played > 0, played < 20]).toEqual([true, true])
  expect(readRun(folder).lines.every(({ outcome }) => outcome !== 'infrastructure_error')).toBe(true)
  const spent = spentIn(folder)
  expect(spent).toBeLessThanOrEqual(0.5)
  const [, next] = /it may take (0\.\d+)/.exec(first.err) ?? []
  expect(spent + Number(next)).toBeGreaterThan(0.5)

  const again = await runOf(200, '--model', priced, '--max-cost', '0.5', '--resume', folder)
  expect([again.code, readRun(folder).lines.length]).toEqual([3, played])
  // The two calls of the preflight are paid for as well.
  expect(spentIn(folder)).toBeLessThanOrEqual(0.5)
})

test('a run that was stopped and gone on with is the run that never stopped', async () => {
  const [whole, cut] = [scratch(), scratch()]
  const first = await runOf(4, '--model', priced, '--out', whole)
  const three = readRun(whole).lines.slice(0, 3)
  const mean = (name: string): number => three.reduce((sum, { metrics }) => sum + Number(metrics[name]), 0) / 3
  const tokens = thousands(Math.round(mean('prompt_tokens') + mean('completion_tokens')))
  const told = `After 3 trials (react-sync) ${priced} takes ${Math.round(mean('model_calls'))} calls and ${tokens} tokens a trial: about ${tokens} tokens and ${mean('cost_usd').toFixed(2)} USD for the 1 to come.`
  expect(first.err.split(told)).toHaveLength(2)
  expect((await runOf(4, '--model', priced, '--budget-tokens', '40000', '--out', cut)).code).toBe(3)
  expect(readRun(cut).lines.length).toBeLessThan(4)
  expect((await cli('run', '--resume', cut, '--yes', '--budget-tokens', '900000')).code).toBe(0)
  expect(lines(cut)).toBe(lines(whole))
  expect(spentIn(cut)).toBeGreaterThan(spentIn(whole))
})

test('a resumed run whose money does not even allow the preflight ends with 3, and what it tried is in its book', async () => {
  const folder = scratch()
  expect((await runOf(4, '--model', priced, '--budget-tokens', '20000', '--out', folder)).code).toBe(3)
  const before = readSpending(folder)
  const spent = before.reduce((sum, each) => sum + each.promptTokens + each.completionTokens, 0)
  // The first call of the preflight finds room, the second does not.
  const limit = String(spent + 470)
  const again = await cli('run', '--resume', folder, '--yes', '--budget-tokens', limit)
  expect([again.code, again.err]).toEqual([
    3,
    expect.stringMatching(/no room for another call: .* Raise --budget-tokens\./),
  ])
  expect(readSpending(folder)).toHaveLength(before.length + 1)
  const third = await cli('run', '--resume', folder, '--yes', '--budget-tokens', String(spent))
  expect([third.code, readSpending(folder).length]).toEqual([3, before.length + 1])
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test.each([
  [['--model', `${priced}&extra.n=2`, '--max-cost', '1'], 'leave out "n" and set maxTokens'],
  [['--model', 'mini?omit=max_tokens', '--budget-tokens', '9000'], 'leave out "max_tokens" and set maxTokens'],
  [['--model', 'mini', '--max-cost', '1'], '--max-cost needs to know what mini costs'],
  [['--model', priced, '--max-cost', '0'], 'is nothing to spend'],
  [['--model', priced, '--budget-tokens', '-5'], 'is nothing to spend'],
])('%j is refused before a call', async (argv, reason) => {
  const folder = scratch()
  const { code, err } = await runOf(1, ...argv, '--out', folder)
  expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  expect(existsSync(folder)).toBe(false)
})

test('a plan is told without a key, a call or a file, and for a simulated model it comes near the truth', async () => {
  vi.stubEnv('OPENAI_BASE_URL', '')
  const folder = scratch()
  const plan = (model: string) =>
    cli(
      'run',
      'smoke',
      '--agents',
      'react-polling,s-ora',
      '--scenarios',
      '9',
      '--model',
      model,
      '--plan',
      '--json',
      '--out',
      folder,
    )
  const told = await plan(priced)
  expect([told.code, existsSync(folder)]).toEqual([0, false])
  const real = JSON.parse(told.out).models
  expect(real).toMatchObject([{ model: priced, trials: 18, most: { calls: 3_600, tokens: 36_000_000 } }])
  expect(real[0].costUsd).toBeCloseTo((2 * real[0].promptTokens + 10 * real[0].completionTokens) / 1e6, 6)
  expect(told.err).toMatch(/Estimated from 3 trials per agent and case with sim:typical/)

  const [forecast] = JSON.parse((await plan('sim:typical')).out).models
  await cli(
    'run',
    'smoke',
    '--agents',
    'react-polling,s-ora',
    '--scenarios',
    '9',
    '--model',
    'sim:typical',
    '--traces',
    'none',
    '--out',
    folder,
  )
  const sum = (metric: string): number =>
    readRun(folder).lines.reduce((total, { metrics }) => total + Number(metrics[metric]), 0)
  for (const [foreseen, metric] of [
    [forecast.promptTokens, 'prompt_tokens'],
    [forecast.completionTokens, 'completion_tokens'],
    [forecast.calls, 'model_calls'],
  ]) {
    expect(foreseen / sum(metric)).toBeGreaterThan(1 / 1.5)
    expect(foreseen / sum(metric)).toBeLessThan(1.5)
  }
})

test('a simulated run without a budget keeps no book', async () => {
  const folder = scratch()
  await cli('run', 'smoke', '--agents', 'react-sync', '--scenarios', '1', '--out', folder)
  expect(existsSync(join(folder, 'spending.jsonl'))).toBe(false)
})
