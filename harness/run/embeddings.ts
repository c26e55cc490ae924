import type { TrialIdentity } from '../define/index.js'
import type { EmbeddingModel, EmbeddingModels } from '../model/embedding.js'
import { openEmbeddings } from '../model/open.js'
import type { OpenOptions } from '../model/open.js'
import type { Definitions } from './plan.js'
import { seatsOf } from './team.js'

/** The models whose embeddings the agents of these trials use. */
export function embeddingsIn(
  trials: readonly Pick<TrialIdentity, 'agent' | 'agentParams'>[],
  { agents }: Pick<Definitions, 'agents'>,
): string[] {
  const names = trials.flatMap(({ agent: name, agentParams }) => {
    const agent = agents.get(name)
    return agent === undefined ? [] : seatsOf(agent, agentParams).map((seat) => seat.agent.embeddings?.(seat.params))
  })
  return [...new Set(names.flatMap((name) => name ?? []))]
}

/** Opens them once for all trials. Throws `UserError`, before any of them. */
export function openAllEmbeddings(names: readonly string[], options: OpenOptions): EmbeddingModels {
  const models = new Map(names.map((name): [string, EmbeddingModel] => [name, openEmbeddings(name, options)]))
  return (name) => {
    const model = models.get(name)
    if (model === undefined) throw new Error(`Embeddings by "${name}" were not foreseen.`)
    return model
  }
}
