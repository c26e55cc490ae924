import type { z } from 'zod'
import { limitsSchema } from '../../contract/index.js'
import type { Agent, Environment, JsonObject, Limits, TraceRecord } from '../../contract/index.js'
import type { ChatModel } from '../../model/chat.js'
import { parseThinking } from '../../model/thinking.js'
import { openModel } from '../../run/models.js'
import { parseParams } from '../../trial/params.js'
import { runTrial } from '../../trial/trial.js'
import { kiln } from '../kiln.js'

type Goals = ReturnType<Environment['roles']>[number]['goal']

/** The kiln with a goal that the simulated model understands. */
export function pottery(goal: Goals = 'Fire the pot until the kiln is DONE.'): Environment {
  return {
    ...kiln,
    roles: () => [{ name: 'potter', goal }],
    setup: (kit) => kiln.setup({ ...kit, params: kilnParams(kit.params) }),
  }
}

const kilnParams = (params: Record<string, unknown>): z.output<typeof kiln.params> => kiln.params.parse(params)

export const sane = (name = 'sim:careful'): ChatModel => openModel(name, { env: {} })

/** One trial of an agent, as a run would do it. */
export function playTrial(stage: {
  agent: Agent
  params: JsonObject
  environment?: Environment
  worldParams?: JsonObject
  chat?: ChatModel
  limits?: Partial<Limits>
  seed?: string
}): Promise<TraceRecord[]> {
  const { agent, params, environment = pottery(), chat = sane(), limits, seed = 'contract' } = stage
  const { name, version, usesModel } = agent
  return runTrial(
    {
      id: `${environment.name}/${name}/0`,
      scenario: {
        environment: environment.name,
        environmentVersion: environment.version,
        params: parseParams(environment.name, environment.params, stage.worldParams ?? {}),
        index: 0,
        seed,
      },
      agent: name,
      agentVersion: version,
      agentParams: parseParams(name, agent.params, params),
      model: usesModel ? chat.name : null,
      replica: 0,
      clock: 'virtual',
      thinking: 'fixed:1000',
      limits: { ...limitsSchema.parse({}), ...limits },
    },
    { environment, agent, chat: usesModel ? chat : null, thinking: parseThinking('fixed:1000') },
  )
}
