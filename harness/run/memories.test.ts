import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { JsonObject, TrialLine } from '../contract/index.js'
import { cli, scratch } from '../testing/cli.js'
import { readTrace } from '../trace/file.js'
import { runHeader } from './header.js'
import { openMemoryStore } from './memory-store.js'
import { embeddingsIn, openAllEmbeddings, openModel } from './models.js'
import { planSuite } from './plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from './registry.js'
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
  const header = runHeader(folder, suite, plan.trials, { now: new Date(0), traces: 'all' })
  const writer = goOn ? resumeRun(folder, header, false) : createRun(folder, header)
  const abort = new AbortController()
  let ended = 0
  await runPlan(plan, {
    definitions,
    metrics,
    chats: new Map([[MODEL, openModel(MODEL, { env: {} })]]),
    embeddings: openAllEmbeddings(embeddingsIn(plan.trials, definitions), { env: {} }),
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

test('With the lifetime of a run the first scenario pays for reading and for finding out what is needed, and no later one does.', async () => {
  const without = callsOf(await play(scratch(), { params: {} }))
  const lines = await play(scratch(), { params: { memory: 'run' } })
  const [first, ...later] = callsOf(lines)
  expect(first).toBe(without[0])
  expect(later.map((calls, index) => Number(without[index + 1]) - Number(calls))).toEqual([16, 16, 16])
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

test('Embeddings are charged and recorded, so that their trial comes back from its trace without them.', async () => {
  const folder = scratch()
  const params = { memory: 'run', embeddings: 'sim:words' }
  const [first, second] = await play(folder, { params })
  if (first === undefined || second === undefined) throw new Error('There is no second trial.')
  const { trace } = await readTrace(tracePath(folder, second.identity))
  const [goal] = trace.flatMap((record) => (record.kind === 'trial' ? [record.roles[0]?.goal ?? ''] : []))
  const texts = new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
  const embedded = trace.flatMap((record) => (record.kind === 'embedding' ? [record] : []))
  expect(embedded.map((record) => [record.at, record.model, record.texts.map((hash) => texts.get(hash))])).toEqual([
    [0, 'sim:words', [goal]],
  ])
  expect((await replayTrial(trace, { agent, environment })).divergence).toBeNull()
  const lost = trace.filter(({ kind }) => kind !== 'embedding')
  expect((await replayTrial(lost, { agent, environment })).trace.find(({ kind }) => kind === 'error')).toMatchObject({
    message: expect.stringContaining('The trace does not hold the embeddings by "sim:words" of what is asked now'),
    infrastructure: true,
  })
})

test('A persistent memory reaches a second run, and no other agent or world.', async () => {
  const memoryPath = scratch()
  const params = { memory: 'persistent', memoryPath }
  const [first, second] = [callsOf(await play(scratch(), { params })), callsOf(await play(scratch(), { params }))]
  expect([Number(first[0]) - Number(first[1]), second[0]]).toEqual([16, first[1]])
  const store = openMemoryStore(memoryPath)
  const rolesOf = (who: string, where: string) =>
    Object.keys(store.give({ memory: JSON.stringify([who, where]), run: 'another', trial: 'one' }))
  expect([
    rolesOf('s-ora', 'water-hammer'),
    rolesOf('s-ora', 'even-odd'),
    rolesOf('s-ora-reference', 'water-hammer'),
  ]).toEqual([['operator'], [], []])
  store.close()
})

test('A trial whose line was lost in a crash is done again as it was, and does not remember itself.', async () => {
  const [unbroken, broken] = [scratch(), scratch()]
  const lines = await play(unbroken, { params: { memory: 'persistent', memoryPath: scratch() } })
  const params = { memory: 'persistent', memoryPath: scratch() }
  const path = join(broken, 'trials.jsonl')
  await play(broken, { params, stopAfter: 2 })
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 1).join('\n').concat('\n'))
  const resumed = await play(broken, { params, goOn: true })
  const tellable = (all: TrialLine[]) => all.map(({ identity: _identity, ...line }) => line)
  expect(tellable(resumed)).toEqual(tellable(lines))
})

test('A persistent memory that is damaged or in use is the user’s to know, before any trial.', async () => {
  const [damaged, taken, out] = [scratch(), scratch(), scratch()]
  mkdirSync(damaged, { recursive: true })
  writeFileSync(join(damaged, 'memory.sqlite'), 'SQLite it is not. '.repeat(100))
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
      out,
    )
  const unreadable = await run(damaged)
  expect([unreadable.code, unreadable.err.includes('memory.sqlite" is damaged, or no memory of sora-bench.')]).toEqual([
    2,
    true,
  ])
  rmSync(out, { recursive: true })
  const store = openMemoryStore(taken)
  const refused = await run(taken)
  store.close()
  expect([refused.code, refused.err.includes('is in use by another process. Wait until that has ended')]).toEqual([
    2,
    true,
  ])
  expect(readFileSync(join(out, 'trials.jsonl'), 'utf8')).toBe('')
})
