import { expect, it } from 'vitest'
import type { Exposure, Trace } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { parseProfile } from '../reader/profile.js'
import { slips } from '../reader/traits.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadAgent, loadEnvironment } from '../run/registry.js'
import { createRandom } from '../sim/random.js'
import { suiteSchema } from '../contract/index.js'
import { runTrial } from './trial.js'

/** Trials of one agent in one world, each in a scenario of its own, every other one a second replica. */
async function* trials(
  names: [agent: string, environment: string],
  model: string,
  scenarios: number,
): AsyncGenerator<Trace> {
  const [agent, environment] = [await loadAgent(names[0]), await loadEnvironment(names[1])]
  const suite = suiteSchema.parse({
    name: 'slips',
    seed: 11,
    scenarios,
    replicas: 2,
    agents: [agent.name],
    environments: [environment.name],
    models: [model],
  })
  const definitions = {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  }
  const chat = openModel(model, { env: {} })
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

it.each<[string, string, string, number]>([
  ['react-await', 'converter', 'sim:distracted?correlation=0.3', 20],
  ['react-await', 'night-watch', 'sim:typical?draws=own&syntaxCorrelation=0.4', 20],
  ['react-polling', 'weather-desk', 'sim:hasty', 20],
])(
  'what %s in %s came across tells each of its errors: %s, %s scenarios twice',
  async (agent, environment, model, scenarios) => {
    let [played, erred] = [0, 0]
    for await (const trace of trials([agent, environment], model, scenarios)) {
      const { recorded, again } = recomputed(trace)
      expect(recorded.map(({ k, erred: did }) => ({ k, erred: did }))).toEqual(again)
      played += 1
      erred += recorded.filter((each) => each.erred).length
    }
    expect(played).toBe(2 * scenarios)
    expect(erred).toBeGreaterThan(0)
  },
  60_000,
)
