import { expect, test } from 'vitest'
import { suiteSchema } from '../../contract/index.js'
import type { TraceRecord } from '../../contract/index.js'
import { parseThinking } from '../../model/thinking.js'
import { openModel } from '../../run/models.js'
import { planSuite } from '../../run/plan.js'
import { loadAgent, loadEnvironment } from '../../run/registry.js'
import { runTrial } from '../../trial/trial.js'
import { beforeEnd } from '../records.js'
import { artifactsOf, reconstruct } from './artifacts.js'
import { behaviourOf } from './behaviour.js'
import { interactionsOf } from './interaction.js'

/** Plays scenarios of the water hammer in memory: trial id → trace. */
async function play(agentName: string, model: string): Promise<Map<string, TraceRecord[]>> {
  const [agent, environment] = await Promise.all([loadAgent(agentName), loadEnvironment('water-hammer')])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 4,
    scenarios: 8,
    agents: [agentName],
    environments: ['water-hammer'],
    models: [model],
  })
  const definitions = { agents: new Map([[agentName, agent]]), environments: new Map([['water-hammer', environment]]) }
  const traces = new Map<string, TraceRecord[]>()
  for (const identity of planSuite(suite, definitions).trials) {
    const chat = identity.model === null ? null : openModel(identity.model, { env: {} })
    const thinking = parseThinking(identity.thinking)
    traces.set(identity.id, await runTrial(identity, { environment, agent, chat, thinking }))
  }
  return traces
}

test.each([
  [
    's-ora',
    /^system_discovery .* hydraulic_control\.power_on_pump \| hydraulic_control\.open_valve reactor_core\.button_1 \|$/,
  ],
  [
    'oracle',
    /^security_terminal\.login hydraulic_control\.power_on_pump \| hydraulic_control\.open_valve reactor_core\.button_1 \|$/,
  ],
])('%s takes one path through the water hammer whatever the seed, and is woken twice', async (agent, path) => {
  const paths = [...(await play(agent, 'sim:careful')).values()].map((trace) => behaviourOf(trace)?.path)
  expect(paths).toHaveLength(8)
  expect(new Set(paths)).toEqual(new Set([expect.stringMatching(path)]))
})

const callKinds = new Set(['operation', 'invalid', 'read', 'poll', 'sleep'])

test('in real trials every call through the door is in σ once, and all comes back from the four artifacts', async () => {
  let calls = 0
  for (const agent of ['react-sync', 'react-polling', 's-ora', 'random', 'fixed-sleep', 'do-nothing']) {
    for (const trace of (await play(agent, 'sim:hasty')).values()) {
      const interactions = interactionsOf(trace)
      for (const { cycles, tools } of interactions) {
        const artifacts = artifactsOf(cycles)
        expect(reconstruct(JSON.parse(JSON.stringify(artifacts)))).toEqual(cycles)
        expect(Math.max(0, ...artifacts.sigma.flat())).toBeLessThanOrEqual(tools.length)
      }
      const found = interactions.flatMap(({ cycles }) => cycles.flatMap((cycle) => cycle.calls)).length
      expect(found).toBe(beforeEnd(trace).filter(({ kind }) => callKinds.has(kind)).length)
      calls += found
    }
  }
  expect(calls).toBeGreaterThan(500)
})
