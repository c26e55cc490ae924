import { expect, it } from 'vitest'
import type { Exposure, Trace } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { parseProfile } from '../reader/profile.js'
import { slips } from '../reader/traits.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment, pluginFiles } from '../run/registry.js'
import { createRandom } from '../sim/random.js'
import { suiteSchema } from '../contract/index.js'
import { runTrial } from './trial.js'

interface Setting {
  agent: string
  environment: string
  model: string
  scenarios: number
  replicas?: number
  limits?: { modelCalls: number }
}

/** Trials of one agent in one world. */
async function* trials({ scenarios, replicas = 1, limits = { modelCalls: 200 }, ...names }: Setting) {
  const [agent, environment] = [await loadAgent(names.agent), await loadEnvironment(names.environment)]
  const suite = suiteSchema.parse({
    name: 'slips',
    seed: 11,
    scenarios,
    replicas,
    agents: [agent.name],
    environments: [environment.name],
    models: [names.model],
    limits,
  })
  const definitions = {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }
  const chat = openModel(names.model, { env: {} })
  const thinking = parseThinking('tokens')
  for (const identity of planSuite(suite, definitions).trials)
    yield runTrial(identity, { environment, agent, chat, thinking })
}

/** The exposures of a trace, with what each role's seed, the text of its subject and the count of those before it make of it. */
function recomputed(trace: Trace): { recorded: Exposure[]; again: Pick<Exposure, 'k' | 'erred'>[] } {
  const [first] = trace
  if (first?.kind !== 'trial' || first.identity.model === null) throw new Error('No trial of a model.')
  const { scenario, replica, agent, model } = first.identity
  const profile = parseProfile(model)
  const texts = new Map(trace.flatMap((record) => (record.kind === 'text' ? [[record.hash, record.text]] : [])))
  const counts = new Map<string, number>()
  const answers = trace.flatMap((record) => (record.kind === 'answer' ? [record] : []))
  const recorded = answers.flatMap(({ exposures }) => exposures ?? [])
  const again = answers.flatMap(({ role, exposures }) =>
    (exposures ?? []).map(({ trait, subject, d, q }) => {
      const key = JSON.stringify([role, trait, subject, d])
      const k = counts.get(key) ?? 0
      counts.set(key, k + 1)
      const seed = createRandom(scenario.seed).seed('model', role ?? '')
      const erred = slips(
        { profile, state: { agent, seed, replica } },
        { trait, subject: texts.get(subject) ?? '', d, k, q },
      )
      return { k, erred }
    }),
  )
  return { recorded, again }
}

/** Of how many trials each error came out as it was recorded, how many there were, and how many trials were solved. */
async function recount(setting: Setting) {
  let [played, erred, solved] = [0, 0, 0]
  for await (const trace of trials(setting)) {
    const { recorded, again } = recomputed(trace)
    expect(recorded.map(({ k, erred: did }) => ({ k, erred: did }))).toEqual(again)
    played += 1
    erred += recorded.filter((each) => each.erred).length
    solved += trace.some((record) => record.kind === 'verdict' && record.outcome === 'solved') ? 1 : 0
  }
  return { played, erred, solved }
}

it.each<Setting>([
  { agent: 'react-await', environment: 'converter', model: 'sim:distracted?correlation=0.3', scenarios: 10 },
  { agent: 's-ora', environment: 'night-watch', model: 'sim:typical?syntaxCorrelation=0.4', scenarios: 10 },
  {
    agent: 'react-await',
    environment: 'weather-desk',
    model: 'sim:hasty',
    scenarios: 330,
    limits: { modelCalls: 8 },
  },
])(
  'what $agent in $environment came across tells each of its errors ($model, $scenarios scenarios twice)',
  async (setting) => {
    const { played, erred } = await recount({ ...setting, replicas: 2 })
    expect(played).toBe(2 * setting.scenarios)
    expect(erred).toBeGreaterThan(0)
  },
  120_000,
)

it('draws of its own change which scenarios an agent solves, and not how many', async () => {
  const common: Setting = { agent: 'react-await', environment: 'water-hammer', model: 'sim:hasty', scenarios: 150 }
  const [ours, own] = [await recount(common), await recount({ ...common, model: 'sim:hasty?draws=own' })]
  expect([ours.played, own.played]).toEqual([150, 150])
  expect(ours.erred).not.toBe(own.erred)
  const share = (ours.solved + own.solved) / 300
  const errorOfDifference = Math.sqrt((share * (1 - share)) / 75)
  expect(Math.abs(ours.solved - own.solved) / 150).toBeLessThan(3 * errorOfDifference)
  expect([share > 0.05, share < 0.95]).toEqual([true, true])
}, 120_000)

/** What somebody is waited for in, or what would be claimed too early. */
const WAITING = ['patience', 'honesty', 'fixation']

it.each([...pluginFiles('env').keys()])(
  'a reader that waits in %s could have been wrong about it',
  async (environment) => {
    const met = new Set<string>()
    for await (const trace of trials({ agent: 'react-await', environment, model: 'sim:typical', scenarios: 2 }))
      for (const { trait } of recomputed(trace).recorded) met.add(trait)
    expect(WAITING.some((trait) => met.has(trait))).toBe(true)
  },
)
