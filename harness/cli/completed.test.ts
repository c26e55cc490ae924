import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { JsonObject, TrialIdentity } from '../contract/index.js'
import type { Baseline } from '../report/compare/baseline.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { completed } from './baseline.js'

const [agent, environment] = [await loadAgent('s-ora'), await loadEnvironment('water-hammer')]
const suite = suiteSchema.parse({
  name: 'old',
  seed: 1,
  scenarios: 1,
  agents: [agent.name],
  environments: [environment.name],
})
const today = planned()

function planned(): TrialIdentity {
  const agents = new Map([[agent.name, agent]])
  const [trial] = planSuite(suite, { agents, environments: new Map([[environment.name, environment]]) }).trials
  if (trial === undefined) throw new Error('The suite plans no trial.')
  return trial
}

function baselineOf(agentParams: JsonObject): Baseline {
  const identity: TrialIdentity = { ...today, agentParams }
  const line = { version: 1 as const, identity, outcome: 'solved' as const, metrics: {}, behaviour: null, error: null }
  const header = { kind: 'baseline' as const, version: 1, suite, follows: null, graders: {}, groups: [] }
  return { header, lines: [line] }
}

test('A parameter that is younger than a baseline takes its default there', async () => {
  const { guard: _, ...older } = today.agentParams
  const { lines } = await completed(baselineOf(older))
  expect(lines.map(({ identity }) => identity)).toEqual([today])
})

test('A parameter that is known no more stays, for the comparison to tell', async () => {
  const { lines } = await completed(baselineOf({ magic: true }))
  expect(lines[0]?.identity.agentParams).toEqual({ magic: true })
})
