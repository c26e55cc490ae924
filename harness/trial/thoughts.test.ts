import { expect, test } from 'vitest'
import { suiteSchema } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { runTrial } from './trial.js'

async function play(agentName: string, thinking: string[], modelCalls = 200) {
  const [agent, environment] = await Promise.all([loadAgent(agentName), loadEnvironment('water-hammer')])
  const suite = suiteSchema.parse({
    name: 't',
    seed: 4,
    scenarios: 1,
    agents: [agentName],
    environments: ['water-hammer'],
    thinking,
    limits: { modelCalls },
  })
  const { trials } = planSuite(suite, {
    agents: new Map([[agentName, agent]]),
    environments: new Map([[environment.name, environment]]),
  })
  const traces = []
  for (const identity of trials)
    traces.push(
      await runTrial(identity, { environment, agent, chat: null, thinking: parseThinking(identity.thinking) }),
    )
  return { ids: trials.map(({ id }) => id), traces }
}

const thoughts = (trace: Awaited<ReturnType<typeof runTrial>>) =>
  trace.flatMap((record) => (record.kind === 'thought' ? [record.thoughtMs] : []))

test('Who thinks without a model has a trial per thinking policy, and who does not think has one.', async () => {
  const swept = await play('ceiling-push', ['fixed:1000', 'fixed:5000'])
  expect(swept.ids).toEqual(['water-hammer/ceiling-push/fixed:1000/0', 'water-hammer/ceiling-push/fixed:5000/0'])
  expect(swept.traces.map(thoughts)).toEqual([
    [1_000, 1_000, 1_000, 1_000],
    [5_000, 5_000, 5_000, 5_000],
  ])
  expect((await play('oracle', ['fixed:1000', 'fixed:5000'])).ids).toEqual(['water-hammer/oracle/0'])
})

test('By tokens a thought lasts as long as a call of 3 000 and 50 tokens, give or take a tenth.', async () => {
  const { traces } = await play('ceiling-push', ['tokens'])
  const lasted = traces.flatMap(thoughts)
  expect(lasted).toHaveLength(4)
  for (const ms of lasted) expect(Math.abs(ms - 1_275)).toBeLessThanOrEqual(128)
})

test('Thoughts count against the budget of calls.', async () => {
  const { traces } = await play('ceiling-act', ['fixed:1000'], 20)
  expect(traces.map((trace) => thoughts(trace).length)).toEqual([20])
  expect(traces.flat().filter(({ kind }) => kind === 'limit')).toMatchObject([{ limit: 'modelCalls', value: 20 }])
})
