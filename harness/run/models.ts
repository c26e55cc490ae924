import { UserError, isSimulated, modelLabel, modelSeats, parseModel } from '../contract/index.js'
import type { ModelEntry, TrialIdentity } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import type { EndpointOptions } from '../model/client.js'
import { openEmbeddingEndpoint, openEmbeddingInProcess } from '../model/embedding.js'
import type { EmbeddingModel, EmbeddingModels } from '../model/embedding.js'
import { createGate } from '../model/gate.js'
import type { Gate, GateOptions } from '../model/gate.js'
import { openEndpoint, openInProcess } from '../model/openai.js'
import type { EndpointModel } from '../model/openai.js'
import { describeModel, isOpenAi, set } from '../model/presets.js'
import type { Described } from '../model/presets.js'
import { shaping } from '../model/wire.js'
import { SIMULATED_EMBEDDING, simulatedFetch } from '../reader/endpoint.js'
import { parseProfile } from '../reader/profile.js'
import { seatsOf } from '../trial/team.js'
import type { Definitions } from './plan.js'

/** Where a model's key and endpoint come from, and what its calls share with others. */
export interface OpenOptions extends Pick<EndpointOptions, 'tries' | 'timeoutMs' | 'sleep' | 'jitter'> {
  /** The keys are read from it, and for models without a preset `OPENAI_BASE_URL`, `OPENAI_ORG_ID` and `OPENAI_PROJECT_ID`. */
  env: Readonly<Record<string, string | undefined>>
  /** The gates of the endpoints that are in use; absent: the model has one of its own. */
  gates?: Gates
}

export { isSimulated }

/** One gate per address and key, for all models of a run. */
export type Gates = ReturnType<typeof createGates>

export function createGates(options: Omit<GateOptions, 'endpoint' | 'rpm' | 'tpm'>) {
  const gates = new Map<string, Gate>()
  return {
    of({ baseUrl, keyEnv, settings: { concurrency, rpm, tpm } }: Described): Gate {
      const key = `${baseUrl} ${keyEnv ?? ''}`
      const known = gates.get(key)
      if (known !== undefined) return known
      const endpoint = new URL(baseUrl).host
      const gate = createGate({ ...options, endpoint, concurrency: concurrency ?? options.concurrency, rpm, tpm })
      gates.set(key, gate)
      return gate
    },
  }
}

/** Opens a model. Open it once per run: a client is dearer than a call. Throws `UserError`. */
export function openModel(entry: ModelEntry, options: OpenOptions, opened = new Map<string, ChatModel>()): ChatModel {
  const label = modelLabel(entry)
  const seats = typeof entry === 'string' ? modelSeats(entry) : null
  if (seats !== null) return openSeats(label, seats, (model) => openOnce(model, options, opened))
  if (isSimulated(label)) {
    parseProfile(label)
    return openInProcess({ name: label, fetch: simulatedFetch() })
  }
  return openReal(entry, options)
}

/** A model over HTTP, with what is learnt of its endpoint. */
export function openReal(entry: ModelEntry, { env, gates, ...options }: OpenOptions): EndpointModel {
  const label = modelLabel(entry)
  if (label.trim() === '') throw new UserError('A model needs a name, such as "sim:typical" or "gpt-4o-mini".')
  const described = describeModel(entry, env)
  const gate = gates?.of(described)
  return openEndpoint({ ...options, ...(gate && { gate }), described, name: label, ...wayTo(described, env) })
}

/** Who has opened a model under a label shares what is learnt of its endpoint. */
export function openOnce(entry: ModelEntry, options: OpenOptions, opened: Map<string, ChatModel>): ChatModel {
  const label = modelLabel(entry)
  const chat = opened.get(label) ?? openModel(entry, options, opened)
  opened.set(label, chat)
  return chat
}

function openSeats(name: string, seats: readonly [string, string][], open: (model: string) => ChatModel): ChatModel {
  const members = new Map(seats.map(([role, model]) => [role, open(model)]))
  return {
    name,
    at(role) {
      const chat = members.get(role) ?? members.get('*')
      if (chat === undefined) throw new Error(`The models ${name} have none for the role ${role}.`)
      return chat
    },
    complete: () => Promise.reject(new Error(`${name} is several models: each role asks its own.`)),
  }
}

const silent = () => Promise.reject(new Error('A model was asked where a recording was to answer.'))

/** A model that nobody asks, because a recording answers for it; with its price, by which calls are charged as they were. */
export function silentModel(entry: ModelEntry): ChatModel {
  const name = modelLabel(entry)
  const seats = typeof entry === 'string' ? modelSeats(entry) : null
  if (seats !== null) return { ...openSeats(name, seats, silentModel), complete: silent }
  if (isSimulated(name)) return { name, complete: silent }
  const settings = parseModel(entry)
  return { name, complete: silent, ...shaping(settings), ...(settings.price && { price: settings.price }) }
}

export const silentEmbeddings: EmbeddingModels = (name) => ({ name, embed: silent })

/** Opens a model for embeddings by its name, by the same rules. */
export function openEmbeddings(name: string, { env, gates, ...options }: OpenOptions): EmbeddingModel {
  if (isSimulated(name)) {
    if (name === SIMULATED_EMBEDDING) return openEmbeddingInProcess({ name, fetch: simulatedFetch() })
    throw new UserError(`No simulated embeddings "${name}". Known: ${SIMULATED_EMBEDDING}.`)
  }
  if (name.trim() === '') throw new UserError('Embeddings need a model, such as "text-embedding-3-small".')
  const described = describeModel(name, env)
  const gate = gates?.of(described)
  return openEmbeddingEndpoint({
    ...options,
    ...(gate && { gate }),
    name,
    model: described.model,
    ...wayTo(described, env),
  })
}

/** The endpoint, the key to it, and what goes along with every request. */
function wayTo({ label, settings, baseUrl, keyEnv, needsKey }: Described, env: OpenOptions['env']) {
  const key = keyEnv === null ? undefined : set(env[keyEnv])
  if (key === undefined && needsKey) {
    throw new UserError(
      `The model "${label}" needs a key: set ${keyEnv}${keyEnv === 'OPENAI_API_KEY' ? ', or OPENAI_BASE_URL to a server that needs none' : ''}. ` +
        'Simulated models, such as "sim:typical", need neither.',
    )
  }
  // Else the client would quote it in its complaint.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UserError(`${keyEnv} holds characters that no key has; copy it again.`)
  }
  const { headers, secrets } = headersOf(label, settings.headers ?? {}, env)
  // What names an account of OpenAI is nobody else's business.
  const account = keyEnv === 'OPENAI_API_KEY' && (isOpenAi(baseUrl) || settings.baseUrl === undefined)
  return {
    key: key ?? 'none',
    keyEnv,
    baseUrl,
    headers,
    secrets,
    organization: account ? set(env['OPENAI_ORG_ID']) : undefined,
    project: account ? set(env['OPENAI_PROJECT_ID']) : undefined,
  }
}

function headersOf(label: string, given: Readonly<Record<string, string>>, env: OpenOptions['env']) {
  const secrets: string[] = []
  const headers = Object.entries(given).map(([name, value]) => {
    if (!value.startsWith('$')) return [name, value]
    const secret = set(env[value.slice(1)])
    if (secret === undefined)
      throw new UserError(`The model "${label}" needs the variable ${value.slice(1)} for its header ${name}: set it.`)
    secrets.push(secret)
    return [name, secret]
  })
  return { headers: Object.fromEntries(headers), secrets }
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
