import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import type { SuiteInput, TrialLine } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { createCatalogue, loadMetrics } from '../run/registry.js'
import { lineOf } from '../run/runner.js'
import { runTrial } from './trial.js'

async function play(agents: SuiteInput['agents'], scenarios = 4): Promise<{ line: TrialLine; players: string[] }[]> {
  const catalogue = createCatalogue()
  const suite = catalogue.named(
    suiteSchema.parse({
      name: 't',
      seed: 7,
      scenarios,
      models: ['sim:careful'],
      agents,
      environments: [{ use: 'even-odd', params: { limit: 5, start: 1 } }],
    }),
  )
  const [use] = suite.agents
  const agent = await catalogue.agent(typeof use === 'string' ? use : (use?.use ?? ''))
  const environment = await catalogue.environment('even-odd')
  const plan = planSuite(suite, {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  })
  const metrics = await loadMetrics()
  const told = []
  for (const identity of plan.trials) {
    const chat = openModel('sim:careful', { env: {} })
    const trace = await runTrial(identity, { environment, agent, chat, thinking: parseThinking('tokens') })
    const [first] = trace
    const players = first?.kind === 'trial' ? first.roles.map(({ name, agent: who }) => `${name} ${who}`) : []
    told.push({ line: lineOf(identity, trace, metrics), players })
  }
  return told
}

test('two architectures share one counter, and each keeps to its own surface', async () => {
  const told = await play(['ODD=s-ora+EVEN=react-polling'])
  expect(told.map(({ line }) => line.outcome)).toEqual(['solved', 'solved', 'solved', 'solved'])
  expect(told[0]?.players.toSorted()).toEqual(['EVEN react-polling', 'ODD s-ora'])
  expect(told[0]?.line.identity.agent).toBe('ODD=s-ora+EVEN=react-polling')
  expect(told.every(({ line }) => Number(line.metrics['polls']) > 0 && Number(line.metrics['suspensions']) > 0)).toBe(
    true,
  )
})

test('* stands for all roles without a seat, and parameters go to the role before the dot', async () => {
  const [told] = await play([{ use: 'ODD=s-ora+*=do-nothing', params: { 'ODD.maxWaitMs': 60_000 } }], 1)
  expect(told?.players.toSorted()).toEqual(['EVEN do-nothing', 'ODD s-ora'])
  expect(told?.line.identity.agentParams).toMatchObject({ 'ODD.maxWaitMs': 60_000 })
  expect(told?.line.outcome).not.toBe('solved')
})

test.each([
  [['ODD=s-ora'], 'has nobody for the role EVEN of even-odd. Its roles: '],
  [['ODD=s-ora+EVNE=react-sync'], 'even-odd has no role "EVNE". Its roles: '],
  [['ODD=s-ora+ODD=react-sync'], 'names the role ODD twice'],
  [['ODD=s-ora+'], 'is no team. Write one agent per role, as in ODD=s-ora+EVEN=react-polling.'],
  [['ODD=s-ora+EVEN=reakt'], 'No agent named "reakt". Known: '],
  [[{ use: 'ODD=s-ora+EVEN=react-sync', params: { 'EVEN.guard': false } }], 'has no parameter "EVEN.guard"'],
])('the team %j is refused with the way out', async (agents, message) => {
  await expect(play(agents)).rejects.toThrow(message)
})

const plan = async (use: SuiteInput['agents'][number], thinking: string[]) => {
  const catalogue = createCatalogue()
  const name = typeof use === 'string' ? use : use.use
  const suite = suiteSchema.parse({
    name: 't',
    seed: 7,
    scenarios: 1,
    models: ['sim:careful'],
    thinking,
    agents: [use],
    environments: ['even-odd'],
  })
  const [agent, environment] = [await catalogue.agent(name), await catalogue.environment('even-odd')]
  return planSuite(suite, {
    agents: new Map([[name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }).trials.map(({ id }) => id)
}

test('a team whose members think without a model is tried under every thinking policy', async () => {
  const pair = 'ODD=ceiling-poll+EVEN=do-nothing'
  expect(await plan(pair, ['zero', 'tokens'])).toEqual([`even-odd/${pair}/zero/0`, `even-odd/${pair}/tokens/0`])
  expect(await plan('*=do-nothing', ['zero', 'tokens'])).toEqual(['even-odd/*=do-nothing/0'])
})

test('members that remember in different places are refused with the way out, and in one place they are not', async () => {
  const pair = (params: Record<string, string>) => plan({ use: 'ODD=s-ora+EVEN=s-ora', params }, ['tokens'])
  const run = { 'ODD.memory': 'run' }
  const stored = { 'EVEN.memory': 'persistent', 'EVEN.memoryPath': '/tmp/even' }
  await expect(pair({ ...run, ...stored })).rejects.toThrow(
    'The members of ODD=s-ora+EVEN=s-ora keep their memories in the run and /tmp/even. Give those that remember one lifetime, and one path.',
  )
  await expect(pair({ 'ODD.memory': 'persistent', ...stored })).rejects.toThrow('in results/memory and /tmp/even.')
  expect(await pair(stored)).toHaveLength(1)
  expect(await pair({ ...run, 'EVEN.memory': 'run' })).toHaveLength(1)
})
