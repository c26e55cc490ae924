import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { TraceRecord, Use } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { runTrial } from '../trial/trial.js'
import suite from './ladder.suite.js'

const whole = suiteSchema.parse(suite)
const rungs = await Promise.all(
  whole.agents.map(async (use) => {
    const { use: name, params } = typeof use === 'string' ? { use, params: {} } : use
    const agent = await loadAgent(name)
    return { use, name, params: agent.params.parse(params) }
  }),
)

/** All that happened but for the header, which says who played. */
async function play(use: Use, world: string, model: string): Promise<string[]> {
  const [agent, environment] = await Promise.all([
    loadAgent(typeof use === 'string' ? use : use.use),
    loadEnvironment(world),
  ])
  const environments = whole.environments.filter((each) => (typeof each === 'string' ? each : each.use) === world)
  const one = { ...whole, scenarios: 1, agents: [use], environments, models: [model] }
  const [identity] = planSuite(one, {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[world, environment]]),
  }).trials
  if (identity === undefined) throw new Error('The plan is empty.')
  const chat = openModel(model, { env: {} })
  const trace: TraceRecord[] = await runTrial(identity, {
    environment,
    agent,
    chat,
    thinking: parseThinking(identity.thinking),
  })
  return trace.filter(({ kind }) => kind !== 'trial').map((record) => JSON.stringify(record))
}

test('Each rung is the one before it with one more parameter, and the last one has those of the top.', () => {
  const top = rungs.at(-1)
  const climbed = rungs.slice(0, -1)
  expect(new Set(climbed.map(({ name }) => name)).size).toBe(1)
  expect(climbed.at(-1)?.params).toEqual(top?.params)
  for (const [index, { params }] of climbed.entries()) {
    const before = climbed[index - 1]?.params
    if (before === undefined) continue
    expect(Object.keys(params)).toEqual(Object.keys(before))
    const changed = Object.keys(params).filter((name) => JSON.stringify(params[name]) !== JSON.stringify(before[name]))
    expect({ index, changed: changed.length }).toEqual({ index, changed: 1 })
  }
  expect(rungs[0]?.use).toBe(rungs[0]?.name)
})

test.each(whole.environments.map((use) => (typeof use === 'string' ? use : use.use)))(
  'In %s the last rung does, byte for byte, what the top does, and the first one something else.',
  async (world) => {
    const [foot, last, top] = [rungs[0], rungs.at(-2), rungs.at(-1)].map((rung) => rung?.use ?? '')
    for (const model of ['sim:careful', 'sim:typical']) {
      const reached = await play(last ?? '', world, model)
      expect(reached.length).toBeGreaterThan(10)
      expect(await play(top ?? '', world, model)).toEqual(reached)
      expect(await play(foot ?? '', world, model)).not.toEqual(reached)
    }
  },
)
