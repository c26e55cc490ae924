import { defineSuite, suiteSchema } from '../contract/index.js'
import type { Agent, Claim, Outcome, Scalar, Trace } from '../contract/index.js'
import { parseThinking } from '../model/thinking.js'
import { openModel } from '../run/models.js'
import { planSuite } from '../run/plan.js'
import { loadEnvironment } from '../run/registry.js'
import { recordsOf } from '../trace/records.js'
import type { Person } from '../trial/team.js'
import { runTrial } from '../trial/trial.js'

type Scalars = Record<string, Scalar | null>

/** What became of a trial. */
export interface PlayedTrial {
  outcome: Outcome
  /** In the order in which they were made. */
  claims: Claim[]
  /** Messages of the errors that ended it. */
  errors: string[]
  trace: Trace
}

/**
 * Plays one trial of an agent in a world of sora-bench, as `run` would: by default on the virtual clock, with a
 * simulated model that reads carefully. The same `seed` gives the same trial.
 */
export async function playTrial(stage: {
  agent: Agent
  /** The name of an environment. */
  environment: string
  params?: Scalars
  worldParams?: Scalars
  model?: string
  seed?: number
  clock?: string
  /** Answers an agent that asks; on the wall clock. */
  person?: Person
  limits?: { modelCalls?: number; operations?: number; virtualMs?: number }
}): Promise<PlayedTrial> {
  const { agent, model = 'sim:careful' } = stage
  const environment = await loadEnvironment(stage.environment)
  const suite = suiteSchema.parse(
    defineSuite({
      name: 'one-trial',
      seed: stage.seed ?? 1,
      scenarios: 1,
      agents: [{ use: agent.name, params: stage.params ?? {} }],
      environments: [{ use: environment.name, params: stage.worldParams ?? {} }],
      models: [model],
      clock: stage.clock ?? 'virtual',
      limits: stage.limits ?? {},
    }),
  )
  const { trials } = planSuite(suite, {
    agents: new Map([[agent.name, agent]]),
    environments: new Map([[environment.name, environment]]),
  })
  const [identity] = trials
  if (identity === undefined) throw new Error('The suite plans no trial.')
  const chat = identity.model === null ? null : openModel(identity.model, { env: process.env })
  const thinking = parseThinking(identity.thinking)
  const { person } = stage
  const trace = await runTrial(identity, { agent, environment, chat, thinking, ...(person && { person }) })
  const [verdict] = recordsOf(trace, 'verdict')
  if (verdict === undefined) throw new Error('The trial has no verdict.')
  return {
    outcome: verdict.outcome,
    claims: recordsOf(trace, 'claim').map(({ claim }) => claim),
    errors: recordsOf(trace, 'error').map(({ message }) => message),
    trace,
  }
}
