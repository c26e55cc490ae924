import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { suiteSchema } from '../define/index.js'
import type { JsonObject, TrialLine } from '../define/index.js'
import { openModel } from '../model/open.js'
import { readTrace } from '../trace/file.js'
import { cli, scratch } from '../testing/cli.js'
import { loadAgent, loadEnvironment, loadMetrics } from './discover.js'
import { runHeader } from './header.js'
import { planSuite } from './plan.js'
import { replayTrial } from './replay.js'
import { runPlan } from './runner.js'
import { readRun, tracePath } from './store.js'
import { createRun, resumeRun } from './writer.js'

const MODEL = 'sim:careful'
const [agent, environment, metrics] = [
  await loadAgent('s-ora'),
  await loadEnvironment('water-hammer'),
  await loadMetrics(),
]
const definitions = { agents: new Map([[agent.name, agent]]), environments: new Map([[environment.name, environment]]) }

/** A run of four scenarios; `stopAfter` aborts it when so many have ended, `goOn` resumes what is there. */
async function play(
  folder: string,
  {
    params,
    concurrency = 1,
    stopAfter = Infinity,
    goOn = false,
    replicas = 1,
  }: {
    params: JsonObject
    concurrency?: number
    stopAfter?: number
    goOn?: boolean
    replicas?: number
  },
): Promise<TrialLine[]> {
  const suite = suiteSchema.parse({
    name: 'memory',
    seed: 7,
    scenarios: 4,
    replicas,
    agents: [{ use: agent.name, params }],
    environments: [environment.name],
    models: [MODEL],
  })
  const plan = planSuite(suite, definitions)
  const header = runHeader('memory', suite, plan.trials, { now: new Date(0), traces: 'all' })
  const writer = goOn ? resumeRun(folder, header, false) : createRun(folder, header)
  const abort = new AbortController()
  let ended = 0
  await runPlan(plan, {
    definitions,
    metrics,
    chats: new Map([[MODEL, openModel(MODEL, { env: {} })]]),
    writer,
    concurrency,
    signal: abort.signal,
    onTrial: () => {
      if (++ended >= stopAfter) abort.abort()
    },
  }).finally(() => writer.close())
  return readRun(folder).lines
}
const callsOf = (lines: readonly TrialLine[]) => lines.map((line) => line.metrics['model_calls'])

test('With the lifetime of a run the first scenario pays for reading, and no later one does.', async () => {
  const without = callsOf(await play(scratch(), { params: {} }))
  const lines = await play(scratch(), { params: { memory: 'run' } })
  const [first, ...later] = callsOf(lines)
  expect(first).toBe(without[0])
  expect(later.map((calls, index) => Number(without[index + 1]) - Number(calls))).toEqual([12, 12, 12])
  expect(lines.map(({ outcome }) => outcome)).toEqual(['solved', 'solved', 'solved', 'solved'])
})

test('A run with memory is the same side by side, and broken and resumed.', async () => {
  const [whole, wide, broken] = [scratch(), scratch(), scratch()]
  const options = { params: { memory: 'run' }, replicas: 2 }
  const lines = await play(whole, options)
  expect(await play(wide, { ...options, concurrency: 8 })).toEqual(lines)
  expect(await play(broken, { ...options, stopAfter: 3 })).toHaveLength(3)
  expect(await play(broken, { ...options, goOn: true })).toEqual(lines)
})

test('A run whose memory is gone is not gone on with as if there had been none.', async () => {
  const folder = scratch()
  await play(folder, { params: { memory: 'run' }, stopAfter: 2 })
  rmSync(join(folder, 'memory.jsonl'))
  await expect(play(folder, { params: { memory: 'run' }, goOn: true })).rejects.toThrow(
    'does not hold what "water-hammer/s-ora/sim:careful/1" left to those after it. Begin a new run.',
  )
})

test('A single trial with memory comes back from its trace, since that holds what it was given.', async () => {
  const folder = scratch()
  const [, second] = await play(folder, { params: { memory: 'run' } })
  if (second === undefined) throw new Error('There is no second trial.')
  const { trace } = await readTrace(tracePath(folder, second.identity))
  expect(trace.filter(({ kind }) => kind === 'remembered' || kind === 'kept').map(({ kind }) => kind)).toEqual([
    'remembered',
    'kept',
  ])
  expect((await replayTrial(trace, { agent, environment })).divergence).toBeNull()
})

test('A persistent memory reaches a second run, and no other agent or world.', async () => {
  const memoryPath = scratch()
  const params = { memory: 'persistent', memoryPath }
  const [first, second] = [callsOf(await play(scratch(), { params })), callsOf(await play(scratch(), { params }))]
  expect([Number(first[0]) - Number(first[1]), second[0]]).toEqual([12, first[1]])
  const stored: unknown = JSON.parse(readFileSync(join(memoryPath, 'memory.json'), 'utf8'))
  expect(stored).toMatchObject({ version: 1, memories: { '["s-ora","water-hammer"]': { operator: {} } } })
})

test('A persistent memory that is damaged or in use is the user’s to know, with the way out.', async () => {
  const [damaged, taken] = [scratch(), scratch()]
  for (const folder of [damaged, taken]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(damaged, 'memory.json'), '{"version":9}')
  const run = (path: string) =>
    cli(
      'run',
      'smoke',
      '--agents',
      's-ora',
      '--param',
      's-ora.memory=persistent',
      '--param',
      `s-ora.memoryPath=${path}`,
      '--out',
      scratch(),
    )
  const unreadable = await run(damaged)
  expect([
    unreadable.code,
    unreadable.err.includes('holds no memory that this version can read. Name another folder'),
  ]).toEqual([2, true])
  writeFileSync(join(taken, 'lock'), JSON.stringify({ pid: 1, host: 'elsewhere', since: 'yesterday' }))
  const refused = await run(taken)
  expect([refused.code, refused.err.includes('is in use by process 1 on elsewhere')]).toEqual([2, true])
})
