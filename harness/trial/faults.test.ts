import { describe, expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { JsonObject, TraceRecord, TrialLine } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment, loadMetrics } from '../run/registry.js'
import { lineOf } from '../run/runner.js'
import { runTrial } from './trial.js'

interface Told {
  line: TrialLine
  trace: TraceRecord[]
}

/** Plays the water hammer with doorbells as `delivery` says, in memory. */
async function play(
  delivery: Record<string, number>,
  { agent: name = 's-ora', scenarios = 5, ...more }: { agent?: string; scenarios?: number; params?: JsonObject } = {},
): Promise<Told[]> {
  const [agent, environment, metrics] = await Promise.all([
    loadAgent(name),
    loadEnvironment('water-hammer'),
    loadMetrics(),
  ])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 4,
    scenarios,
    agents: [{ use: name, ...more }],
    environments: [{ use: environment.name, params: delivery }],
    models: ['sim:careful?waitTimeoutMs=5000'],
    thinking: 'fixed:1000',
  })
  const { trials } = planSuite(suite, {
    agents: new Map([[name, agent]]),
    environments: new Map([[environment.name, environment]]),
  })
  const told: Told[] = []
  for (const identity of trials) {
    const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
    const trace = await runTrial(identity, { environment, agent, chat, thinking: parseThinking(identity.thinking) })
    told.push({ line: lineOf(identity, trace, metrics), trace })
  }
  return told
}

const outcomes = (told: Told[]): string[] => told.map(({ line }) => line.outcome)
const sum = (told: Told[], metric: string): number =>
  told.reduce((total, { line }) => total + Number(line.metrics[metric]), 0)
/** What was done to the world and said of it, and when. */
const deeds = (told: Told[], ...kinds: TraceRecord['kind'][]) =>
  told.map(({ trace }) =>
    trace.flatMap(({ n: _n, ...record }) => (kinds.includes(record.kind) ? [JSON.stringify(record)] : [])),
  )
/** All but the identity, the doorbells and the numbering. */
const story = (told: Told[]) =>
  told.map(({ trace }) =>
    trace.flatMap(({ n: _n, ...record }) => (record.kind === 'doorbell' || record.kind === 'trial' ? [] : [record])),
  )

describe('an agent that suspends', () => {
  test('survives without a single doorbell by the time-outs of its waits', async () => {
    const told = await play({ doorbellDrop: 1 })
    expect(outcomes(told)).toEqual(Array(5).fill('solved'))
    expect(told.flatMap(({ trace }) => trace.filter(({ kind }) => kind === 'delivered'))).toEqual([])
    for (const { line, trace } of told) {
      // Ramp and flush both last longer than one wait.
      expect(line.metrics['resyncs']).toBeGreaterThanOrEqual(3)
      expect(line.metrics['resyncs']).toBe(trace.filter(({ kind }) => kind === 'resync').length)
      expect(line.metrics['polls']).toBe(0)
    }
  })

  test('survives a loss of 30 %, and reads on a timer only where its parameter says so', async () => {
    const [perfect, lossy] = [await play({}, { scenarios: 8 }), await play({ doorbellDrop: 0.3 }, { scenarios: 8 })]
    const timed = await play({ doorbellDrop: 0.3 }, { scenarios: 8, params: { resyncMs: 1_000 } })
    for (const told of [perfect, lossy, timed]) expect(outcomes(told)).toEqual(Array(8).fill('solved'))
    // A resync at each time-out, and none besides.
    for (const { trace } of lossy) {
      const suspended = trace
        .filter((record) => record.kind === 'suspend')
        .map(({ at, timeoutMs }) => at + (timeoutMs ?? 0))
      for (const { at } of trace.filter(({ kind }) => kind === 'resync')) expect(suspended).toContain(at)
    }
    expect(sum(timed, 'resyncs')).toBeGreaterThan(2 * sum(lossy, 'resyncs'))
    expect(sum(lossy, 'makespan_ms')).toBeGreaterThan(sum(perfect, 'makespan_ms'))
    expect(sum(timed, 'makespan_ms')).toBeLessThan(sum(lossy, 'makespan_ms'))
  })

  test('is not touched by doorbells that ring twice, overtake each other, or ring without news', async () => {
    const perfect = await play({})
    expect(story(await play({ doorbellDuplicate: 0.5, doorbellReorder: 0.5 }))).toEqual(story(perfect))
    const noisy = await play({ telemetryMs: 300, stormEveryMs: 4_000 })
    const kinds = ['operation', 'suspend', 'wake', 'claim', 'verdict'] as const
    expect(deeds(noisy, ...kinds)).toEqual(deeds(perfect, ...kinds))
    expect(
      noisy.some(({ trace }) => trace.some((record) => record.kind === 'doorbell' && record.what === 'storm')),
    ).toBe(true)
  })

  test('reacts later by the delay of the doorbell', async () => {
    const wakes = (told: Told[]) =>
      told.map(({ trace }) => {
        const signal = trace.find((record) => record.kind === 'signal')
        return (trace.find((record) => record.kind === 'wake')?.at ?? 0) - (signal?.at ?? 0)
      })
    // One tick: a doorbell of the ramp that comes late shows NOMINAL, too.
    const ramp = { rampMs: 4_000, tickMs: 4_000 }
    expect(wakes(await play(ramp))).toEqual(Array(5).fill(0))
    expect(wakes(await play({ ...ramp, doorbellDelayMs: 700 }))).toEqual(Array(5).fill(700))
  })
})

test('a script that waits without a time-out is deadlocked at once when its wake-up is lost for good', async () => {
  const told = await play({ doorbellDrop: 1, telemetryMs: 1_000 }, { agent: 'oracle' })
  expect(outcomes(told)).toEqual(Array(5).fill('deadlocked'))
  for (const { trace } of told) {
    const signal = trace.find((record) => record.kind === 'signal')
    expect(trace.find((record) => record.kind === 'end')).toMatchObject({ how: 'deadlocked', at: signal?.at })
  }
})

test('a doorbell under way when everybody has ended does not keep the world from coming to rest', async () => {
  const settled = (told: Told[]) => told.map(({ trace }) => trace.find(({ kind }) => kind === 'settled')?.at)
  const late = await play({ doorbellDelayMs: 500_000 }, { agent: 'do-nothing' })
  expect(settled(late)).toEqual(settled(await play({}, { agent: 'do-nothing' })))
  const timed = await play({ doorbellDelayMs: 500_000 })
  expect(timed.map(({ trace }) => trace.find(({ kind }) => kind === 'end')?.at)).toEqual(settled(timed))
})

test('the same faults twice give the same trace, and another seed other faults', async () => {
  const faults = {
    doorbellDrop: 0.3,
    doorbellDuplicate: 0.2,
    doorbellReorder: 0.2,
    doorbellJitterMs: 700,
    telemetryMs: 900,
  }
  const [first, second] = [await play(faults, { scenarios: 2 }), await play(faults, { scenarios: 2 })]
  expect(second).toEqual(first)
  const [one, other] = deeds(first, 'doorbell')
  expect(one).not.toEqual(other)
})
