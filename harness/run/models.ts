import { UserError } from '../contract/index.js'
import type { TrialIdentity } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import { openEmbeddingEndpoint, openEmbeddingInProcess } from '../model/embedding.js'
import type { EmbeddingModel, EmbeddingModels } from '../model/embedding.js'
import { openEndpoint, openInProcess } from '../model/openai.js'
import type { ChatEndpointOptions } from '../model/openai.js'
import { SIMULATED_EMBEDDING, simulatedFetch } from '../reader/endpoint.js'
import { parseProfile } from '../reader/profile.js'
import { seatsOf } from '../trial/team.js'
import type { Definitions } from './plan.js'

const OPENAI = 'https://api.openai.com/v1'

/** Where a model's key and endpoint come from, and what may be set beside them. */
interface OpenOptions extends Pick<ChatEndpointOptions, 'tries' | 'timeoutMs' | 'temperature' | 'sleep' | 'jitter'> {
  /** `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `OPENAI_ORG_ID`, `OPENAI_PROJECT_ID` are read from it. */
  env: Readonly<Record<string, string | undefined>>
}

/** A model of this program, which needs no key, no network and no money. */
export const isSimulated = (name: string): boolean => name.startsWith('sim:')

/** Opens a model by its name. Open it once per run: a client is dearer than a call. Throws `UserError`. */
export function openModel(name: string, { env, ...options }: OpenOptions): ChatModel {
  if (isSimulated(name)) {
    parseProfile(name)
    return openInProcess({ name, fetch: simulatedFetch() })
  }
  if (name.trim() === '') throw new UserError('A model needs a name, such as "sim:typical" or "gpt-4o-mini".')
  return openEndpoint({ ...options, name, ...wayTo(name, env) })
}

/** Opens a model for embeddings by its name, by the same rules. */
export function openEmbeddings(name: string, { env, ...options }: OpenOptions): EmbeddingModel {
  if (isSimulated(name)) {
    if (name === SIMULATED_EMBEDDING) return openEmbeddingInProcess({ name, fetch: simulatedFetch() })
    throw new UserError(`No simulated embeddings "${name}". Known: ${SIMULATED_EMBEDDING}.`)
  }
  if (name.trim() === '') throw new UserError('Embeddings need a model, such as "text-embedding-3-small".')
  return openEmbeddingEndpoint({ ...options, name, ...wayTo(name, env) })
}

/** The endpoint, and the key to it. */
function wayTo(name: string, env: OpenOptions['env']) {
  const key = set(env['OPENAI_API_KEY'])
  const baseUrl = set(env['OPENAI_BASE_URL'])
  if (key === undefined && baseUrl === undefined) {
    throw new UserError(
      `The model "${name}" needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none. ` +
        'Simulated models, such as "sim:typical", need neither.',
    )
  }
  // Else the client would quote it in its complaint.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UserError('OPENAI_API_KEY holds characters that no key has; copy it again.')
  }
  return {
    key: key ?? 'none',
    baseUrl: checked(baseUrl ?? OPENAI),
    organization: set(env['OPENAI_ORG_ID']),
    project: set(env['OPENAI_PROJECT_ID']),
  }
}

const set = (value: string | undefined): string | undefined => (value?.trim() === '' ? undefined : value?.trim())

function checked(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return baseUrl
  // The value stays out of the sentence: people put credentials into URLs.
  throw new UserError('OPENAI_BASE_URL is no http or https address, such as "http://127.0.0.1:8000/v1".')
}

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
