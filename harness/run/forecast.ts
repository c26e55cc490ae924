import { modelSeats, modelsIn, parseModel } from '../contract/index.js'
import type { ModelEntry, Trace, TrialIdentity } from '../contract/index.js'
import { costOf } from '../model/prices.js'
import { parseThinking } from '../model/thinking.js'
import { SIMULATED_EMBEDDING } from '../reader/endpoint.js'
import { runTrial } from '../trial/trial.js'
import { isSimulated, openEmbeddings, openModel } from './models.js'
import type { Definitions, Plan } from './plan.js'

/** Who plays instead of a real model, so that nothing is spent. */
export const STAND_IN = 'sim:typical'
/** Trials of each agent, case and model. */
export const PILOTS = 3

/** What one model of a run may come to. */
export interface Forecast {
  model: string
  trials: number
  calls: number
  promptTokens: number
  completionTokens: number
  /** Without what caches save; null where the price is not known, and for simulated models. */
  costUsd: number | null
  /** How long the calls take one after the other (ms): of a real model by the thinking policy, of a simulated one as measured. */
  callsMs: number
  /** What the limits of its trials allow, where it is a real one. */
  most: { calls: number; tokens: number; costUsd: number | null } | null
}

/** A plan, or trials of no suite. */
export type Foreseen = Pick<Plan, 'trials'> & Partial<Pick<Plan, 'suite'>>

/**
 * Plays a few trials of each agent, case and model, and multiplies. The prompts are the real ones; of a real model the
 * number of calls and the length of answers are the stand-in's.
 */
export async function forecastRun({ suite, trials }: Foreseen, definitions: Definitions): Promise<Forecast[]> {
  const entries = suite === undefined ? new Map<string, ModelEntry>() : modelsIn(suite)
  const forecasts = new Map<string, Forecast>()
  for (const group of groupsOf(trials)) {
    const { model: label } = group[0] ?? { model: null }
    if (label === null) continue
    const seats = modelSeats(label)
    const nameOf = (role: string | null): string =>
      (seats?.find(([seat]) => seat === role) ?? seats?.find(([seat]) => seat === '*'))?.[1] ?? label
    const pilots = group.filter(({ replica }) => replica === 0).slice(0, PILOTS)
    const scale = group.length / pilots.length
    const names = seats?.map(([, name]) => name) ?? [label]
    for (const name of new Set(names)) forecastOf(name, group).trials += group.length
    for (const pilot of pilots) {
      const began = performance.now()
      const calls = callsIn(await playPilot(pilot, definitions))
      const eachMs = (performance.now() - began) / Math.max(1, calls.length)
      for (const { role, usage, thoughtMs } of calls) {
        const name = nameOf(role)
        const forecast = forecastOf(name, group)
        forecast.calls += scale
        forecast.promptTokens += scale * usage.promptTokens
        forecast.completionTokens += scale * usage.completionTokens
        forecast.callsMs += scale * (isSimulated(name) ? eachMs : thoughtMs)
      }
    }
  }
  return [...forecasts.values()].map(rounded)

  function forecastOf(model: string, group: readonly TrialIdentity[]): Forecast {
    const known = forecasts.get(model)
    if (known !== undefined) return known
    const made: Forecast = {
      model,
      trials: 0,
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
      costUsd: null,
      callsMs: 0,
      most: mostOf(model, group),
    }
    forecasts.set(model, made)
    return made
  }

  /** All groups of a run have the same limits. */
  function mostOf(model: string, [first]: readonly TrialIdentity[]): Forecast['most'] {
    if (isSimulated(model) || first === undefined) return null
    const { modelCalls, tokens, costUsd } = first.limits
    return { calls: modelCalls, tokens, costUsd }
  }

  function rounded({ most, ...forecast }: Forecast): Forecast {
    const { model, trials: count } = forecast
    const [calls, promptTokens, completionTokens] = [
      Math.ceil(forecast.calls),
      Math.ceil(forecast.promptTokens),
      Math.ceil(forecast.completionTokens),
    ]
    const price = isSimulated(model) ? undefined : parseModel(entries.get(model) ?? model).price
    const priced = (prompt: number, completion: number): number | null =>
      costOf(model, { promptTokens: prompt, completionTokens: completion, cachedTokens: 0 }, price)
    const tokens = count * (most?.tokens ?? 0)
    const dearest = [priced(tokens, 0), priced(0, tokens)].map((cost) => cost ?? 0)
    const isPriced = priced(0, 0) !== null
    return {
      ...forecast,
      calls,
      promptTokens,
      completionTokens,
      costUsd: priced(promptTokens, completionTokens),
      most: most && {
        calls: count * most.calls,
        tokens,
        costUsd: isPriced ? Math.min(Math.max(...dearest), count * (most.costUsd ?? Infinity)) : null,
      },
    }
  }
}

/** Trials that differ by their scenario and replica alone. */
function groupsOf(trials: readonly TrialIdentity[]): TrialIdentity[][] {
  const groups = new Map<string, TrialIdentity[]>()
  for (const trial of trials) {
    const key = trial.id.replace(/\/\d+(\/r\d+)?$/, '')
    groups.set(key, [...(groups.get(key) ?? []), trial])
  }
  return [...groups.values()]
}

const callsIn = (trace: Trace) => trace.flatMap((record) => (record.kind === 'answer' ? [record] : []))

function playPilot(identity: TrialIdentity, { agents, environments }: Definitions): Promise<Trace> {
  const agent = agents.get(identity.agent)
  const environment = environments.get(identity.scenario.environment)
  if (agent === undefined || environment === undefined) throw new Error(`Parts of ${identity.id} are missing.`)
  const model = identity.model !== null && isSimulated(identity.model) ? identity.model : STAND_IN
  return runTrial(
    { ...identity, model },
    {
      agent,
      environment,
      chat: openModel(model, { env: {} }),
      thinking: parseThinking(identity.thinking),
      embeddings: () => openEmbeddings(SIMULATED_EMBEDDING, { env: {} }),
      // Nobody is asked for an estimate.
      person: () => Promise.resolve(null),
    },
  )
}
