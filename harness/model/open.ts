import { UserError } from '../define/index.js'
import type { ChatModel } from './chat.js'
import type { EndpointOptions } from './client.js'
import type { EmbeddingModel } from './embedding.js'
import { openEmbeddingEndpoint, openEmbeddingInProcess } from './embedding-endpoint.js'
import { openEndpoint, openInProcess } from './openai.js'
import type { ChatEndpointOptions } from './openai.js'
import { SIMULATED_EMBEDDING } from './simulated/embeddings.js'
import { simulatedFetch } from './simulated/endpoint.js'
import { parseProfile } from './simulated/profile.js'

const OPENAI = 'https://api.openai.com/v1'

/** Where a model's key and endpoint come from, and what may be set beside them. */
export interface OpenOptions extends Pick<
  ChatEndpointOptions,
  'tries' | 'timeoutMs' | 'temperature' | 'sleep' | 'jitter'
> {
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
function wayTo(
  name: string,
  env: OpenOptions['env'],
): Pick<EndpointOptions, 'key' | 'baseUrl' | 'organization' | 'project'> {
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
