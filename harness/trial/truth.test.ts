import { describe, expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { SuiteInput, TraceRecord, TrialLine } from '../contract/index.js'
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

/** Plays a suite on the water hammer with one agent, in memory. */
async function play(agentName: string, given: Partial<SuiteInput>): Promise<Told[]> {
  const [agent, environment, metrics] = await Promise.all([
    loadAgent(agentName),
    loadEnvironment('water-hammer'),
    loadMetrics(),
  ])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 4,
    scenarios: 40,
    agents: [agentName],
    environments: ['water-hammer'],
    ...given,
  })
  const plan = planSuite(suite, {
    agents: new Map([[agentName, agent]]),
    environments: new Map([[environment.name, environment]]),
  })
  const told: Told[] = []
  for (const identity of plan.trials) {
    const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
    const trace = await runTrial(identity, { environment, agent, chat, thinking: parseThinking(identity.thinking) })
    told.push({ line: lineOf(identity, trace, metrics), trace })
  }
  return told
}

function outcomes(told: Told[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { line } of told) counts[line.outcome] = (counts[line.outcome] ?? 0) + 1
  return counts
}

/** When a property of the water hammer became a value, or null. */
const became = (trace: TraceRecord[], property: string, value: string): number | null =>
  trace.find((record) => record.kind === 'change' && record.property === property && record.to === value)?.at ?? null

describe('the table tells the truth', () => {
  test('the oracle solves every scenario, and doing nothing solves none', async () => {
    expect(outcomes(await play('oracle', { scenarios: 50 }))).toEqual({ solved: 50 })
    expect(outcomes(await play('do-nothing', { scenarios: 50 }))).toEqual({ unsolved: 50 })
  })

  test('random operations solve at most one scenario of 200', async () => {
    expect(outcomes(await play('random', { scenarios: 200 }))['solved'] ?? 0).toBeLessThanOrEqual(1)
  })

  test('a careful S-ORA solves all without violation, polls, resyncs, or a token while suspended', async () => {
    const told = await play('s-ora', { models: ['sim:careful'] })
    expect(outcomes(told)).toEqual({ solved: 40 })
    for (const { line } of told) {
      expect(line.metrics).toMatchObject({
        violations: 0,
        polls: 0,
        resyncs: 0,
        tokens_while_suspended: 0,
        suspensions: 2,
      })
      expect(line.metrics['suspended_ms']).toBeGreaterThan(0)
    }
  })

  test('with fixed thinking, a blind agent that acts hammers exactly where the ramp outlasts its calls', async () => {
    const told = await play('react-sync', {
      models: ['sim:careful?impasse=act'],
      thinking: [5_000, 8_500, 9_500, 10_500, 11_500, 13_500].map((ms) => `fixed:${ms}`),
    })
    const hammered = told.map(({ line, trace }) => {
      const started = became(trace, 'pump_status', 'RAMPING')
      const opened = trace.find((record) => record.kind === 'operation' && record.action === 'open_valve')?.at
      if (started === null || opened === undefined) throw new Error(`${line.identity.id} never opened the valve.`)
      const nominal = became(trace, 'pump_status', 'NOMINAL')
      // World events come before processes: a valve opened at the very instant of NOMINAL is in time.
      const expected = nominal === null || nominal > opened
      expect({ id: line.identity.id, hammered: line.metrics['violations'] === 1 }).toEqual({
        id: line.identity.id,
        hammered: expected,
      })
      return expected
    })
    expect(new Set(hammered)).toEqual(new Set([true, false]))
  })

  test('a blind agent that stalls for longer than any ramp never hammers', async () => {
    const told = await play('react-sync', {
      models: ['sim:careful?impasse=stall&stallCalls=40'],
      thinking: 'fixed:1000',
    })
    expect(told.filter(({ line }) => line.metrics['violations'] !== 0)).toEqual([])
    expect(outcomes(told)).toEqual({ solved: 40 })
  })
})

test('where an error is of the decision alone, polling and S-ORA break a rule in the same scenarios; else who decides more often breaks more', async () => {
  const violated = async (agent: string, correlation: number): Promise<number[]> => {
    const models = [`sim:careful?patience=0.7&visible=1&correlation=${correlation}`]
    return (await play(agent, { models, thinking: 'fixed:1000', scenarios: 20 }))
      .filter(({ line }) => line.metrics['violations'] !== 0)
      .map(({ line }) => line.identity.scenario.index)
  }
  const polling = await violated('react-polling', 1)
  expect(polling.length).toBeGreaterThan(0)
  expect(await violated('s-ora', 1)).toEqual(polling)
  const anew = await violated('react-polling', 0)
  expect(anew.length).toBeGreaterThan(polling.length)
  expect((await violated('s-ora', 0)).length).toBeLessThan(anew.length)
})
