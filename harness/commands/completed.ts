import type { Baseline } from '../compare/baseline.js'
import { UserError } from '../define/index.js'
import type { JsonObject, TrialIdentity } from '../define/index.js'
import { createCatalogue } from '../run/catalogue.js'
import { parseParams } from '../run/params.js'
import { parseWorldParams } from '../run/world-params.js'

/** A parameter that came into a schema since the baseline was kept takes its default there, as it does in a replay. */
export async function completed(baseline: Baseline): Promise<Baseline> {
  const catalogue = createCatalogue()
  const known = new Map<string, Promise<JsonObject>>()
  const once = (key: unknown, complete: () => Promise<JsonObject>): Promise<JsonObject> => {
    const text = JSON.stringify(key)
    const made = known.get(text) ?? complete()
    known.set(text, made)
    return made
  }
  const lines = baseline.lines.map(async (line) => {
    const { agent, agentParams, scenario } = line.identity
    const [own, world] = await Promise.all([
      once([agent, agentParams], () =>
        orAsItWas(agentParams, async () => parseParams(agent, (await catalogue.agent(agent)).params, agentParams)),
      ),
      once([scenario.environment, scenario.params], () =>
        orAsItWas(scenario.params, async () =>
          parseWorldParams(await catalogue.environment(scenario.environment), scenario.params),
        ),
      ),
    ])
    const identity: TrialIdentity = { ...line.identity, agentParams: own, scenario: { ...scenario, params: world } }
    return { ...line, identity }
  })
  return { ...baseline, lines: await Promise.all(lines) }
}

/** What is not known any more, or does not fit any more, is for the comparison to tell. */
async function orAsItWas(params: JsonObject, complete: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await complete()
  } catch (error) {
    if (error instanceof UserError) return params
    throw error
  }
}
