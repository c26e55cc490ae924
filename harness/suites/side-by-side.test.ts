import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { Json, JsonObject, TraceRecord } from '../contract/index.js'
import modelMetrics from '../metrics/model.metric.js'
import timesMetrics from '../metrics/times.metric.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { endTime, firstOf, recordsOf } from '../trace/records.js'
import { runTrial } from '../trial/trial.js'
import { named } from '../testing/metrics.js'

const thinking = named(modelMetrics, 'thinking_ms')
const longestProcess = named(timesMetrics, 'longest_process_ms')

const WORLD = 'converter'

interface Work {
  agent: string
  params: JsonObject
  traits?: string
}

/** One trial: its trace. */
async function convert({ agent: name, params, traits = 'pollMs=30000&waitTimeoutMs=3600000' }: Work) {
  const [agent, environment] = await Promise.all([loadAgent(name), loadEnvironment(WORLD)])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 11,
    scenarios: 1,
    agents: [name],
    environments: [{ use: WORLD, params }],
    models: [`sim:careful?${traits}`],
    limits: { modelCalls: 1_000, tokens: 30_000_000, operations: 400, virtualMs: 28_800_000 },
  })
  const definitions = { agents: new Map([[name, agent]]), environments: new Map([[WORLD, environment]]) }
  const [identity] = planSuite(suite, definitions).trials
  if (identity === undefined) throw new Error('The plan is empty.')
  const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
  return runTrial(identity, { environment, agent, chat, thinking: parseThinking(identity.thinking) })
}

const outcomeOf = (trace: TraceRecord[]) => firstOf(trace, 'verdict')?.outcome
/** Whose turn it was, in order: a download names the document of its job. */
function deeds(trace: TraceRecord[], action: string): string[] {
  const files = new Map<Json, string>(
    recordsOf(trace, 'change').flatMap(({ property, to }) => {
      const job = /^jobs\[(.+)\]\.file$/.exec(property)?.[1]
      return job === undefined ? [] : [[job, String(to)] as const]
    }),
  )
  return recordsOf(trace, 'operation').flatMap(({ action: done, args }) => {
    const { file, job = null } = args
    return done === action ? [typeof file === 'string' ? file : (files.get(job) ?? 'nothing')] : []
  })
}
const documents = (count: number) => Array.from({ length: count }, (_, index) => `report-${index + 1}`)

test.each([1, 2, 5, 16])(
  'who suspends has %i documents converted within the longest job and its own thinking, without a look',
  async (count) => {
    const trace = await convert({ agent: 's-ora', params: { documents: count, jobMs: 600_000 } })
    expect(outcomeOf(trace)).toBe('solved')
    const bound = Number(longestProcess.of(trace)) + Number(thinking.of(trace))
    expect(endTime(trace)).toBeLessThanOrEqual(bound)
    expect(recordsOf(trace, 'poll')).toEqual([])
    expect(deeds(trace, 'start_job').toSorted()).toEqual(documents(count).toSorted())
    expect(deeds(trace, 'download_result').toSorted()).toEqual(documents(count).toSorted())
  },
)

test.each(['react-polling', 's-ora'])(
  '%s gets each document, once, although jobs fail and room is short',
  async (agent) => {
    const params = { documents: 6, capacity: 2, failureRate: 0.4, jobMs: 120_000, announce: 'all' }
    const trace = await convert({ agent, params })
    expect(outcomeOf(trace)).toBe('solved')
    expect(deeds(trace, 'download_result').toSorted()).toEqual(documents(6))
    expect(deeds(trace, 'start_job').length).toBeGreaterThan(6)
  },
)

test('who cannot look downloads too early, unless it stalls until the job has ended', async () => {
  const blind = { agent: 'react-sync', params: { jobMs: 20_000 } }
  expect(outcomeOf(await convert({ ...blind, traits: 'impasse=act' }))).toBe('violated')
  expect(outcomeOf(await convert({ ...blind, traits: 'impasse=stall&stallCalls=60' }))).toBe('solved')
})

test.each(['react-polling', 's-ora'])(
  '%s takes on goals as they arrive, and what is handed out in turn never overlaps',
  async (agent) => {
    const apart = await convert({ agent, params: { documents: 3, jobMs: 60_000, goals: 'apart', goalGapMs: 20_000 } })
    expect(outcomeOf(apart)).toBe('solved')
    expect(recordsOf(apart, 'goal').map(({ at, goal }) => [at, goal])).toEqual([
      [0, 0],
      [20_000, 1],
      [40_000, 2],
    ])
    const inTurn = await convert({ agent, params: { documents: 3, jobMs: 60_000, goals: 'in_turn' } })
    expect(outcomeOf(inTurn)).toBe('solved')
    const claims = recordsOf(inTurn, 'claim').map(({ at }) => at)
    expect(recordsOf(inTurn, 'goal').map(({ at }) => at)).toEqual([0, ...claims.slice(0, 2)])
  },
)
