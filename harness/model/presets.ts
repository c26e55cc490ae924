import { UserError, modelLabel, parseModel } from '../contract/index.js'
import type { ModelEntry, ModelSettings } from '../contract/index.js'

/** A provider or server by a short name: `groq:llama-3.3-70b`. All that it says is a beginning: what an endpoint refuses is learnt from itself. */
export interface Preset {
  baseUrl: string
  /** The variable that holds the key; null: it needs none. */
  keyEnv: string | null
  /** What it calls the output limit. */
  limit: LimitField
  /** How it is asked for JSON, where it takes a schema and ignores it in silence. */
  format?: 'prompt'
  /** Fields of an answer's message that it wants back in the next request, unchanged. */
  returns: readonly string[]
  /** What to know of it. */
  note: string
  /** Where that was read; nothing of it was tried by the authors but what `tried` says. */
  source: string
  tried: string | null
}
export type LimitField = 'max_tokens' | 'max_completion_tokens'

/** The day all of it was read. */
export const PRESETS_AS_OF = '2026-11-22'

const hosted = { limit: 'max_tokens', returns: [], tried: null } as const
const local = { keyEnv: null, limit: 'max_tokens', returns: [], tried: null } as const

export const PRESETS: Readonly<Record<string, Preset>> = {
  openai: {
    ...hosted,
    baseUrl: 'https://api.openai.com/v1',
    keyEnv: 'OPENAI_API_KEY',
    limit: 'max_completion_tokens',
    note: 'The newest reasoning models take tools on Chat Completions with effort none alone: use api=responses.',
    source: 'platform.openai.com/docs, types of the openai package 7.57',
  },
  openrouter: {
    ...hosted,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyEnv: 'OPENROUTER_API_KEY',
    returns: ['reasoning_details'],
    note: 'Drops what a provider lacks without a word: pin one with extra.provider (docs/models.md).',
    source: 'openrouter.ai/docs',
  },
  groq: {
    ...hosted,
    baseUrl: 'https://api.groq.com/openai/v1',
    keyEnv: 'GROQ_API_KEY',
    limit: 'max_completion_tokens',
    note: 'A call that does not fit its schema is refused (tool_use_failed): it is the model’s mistake.',
    source: 'console.groq.com/docs',
  },
  deepseek: {
    ...hosted,
    baseUrl: 'https://api.deepseek.com',
    keyEnv: 'DEEPSEEK_API_KEY',
    returns: ['reasoning_content'],
    note: 'No json_schema; while thinking the temperature is ignored.',
    source: 'api-docs.deepseek.com',
  },
  gemini: {
    ...hosted,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyEnv: 'GEMINI_API_KEY',
    note: 'Refuses unknown fields; thought signatures of calls go back with them.',
    source: 'ai.google.dev/gemini-api/docs/openai',
  },
  anthropic: {
    ...hosted,
    baseUrl: 'https://api.anthropic.com/v1',
    keyEnv: 'ANTHROPIC_API_KEY',
    format: 'prompt',
    note: 'Ignores response_format and seed; the newest models refuse a temperature.',
    source: 'docs.anthropic.com/en/api/openai-sdk',
  },
  together: {
    ...hosted,
    baseUrl: 'https://api.together.xyz/v1',
    keyEnv: 'TOGETHER_API_KEY',
    note: 'Rates change with the load of a model.',
    source: 'docs.together.ai',
  },
  fireworks: {
    ...hosted,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyEnv: 'FIREWORKS_API_KEY',
    note: 'Shortens the output in silence where the context is full: extra.context_length_exceeded_behavior=error.',
    source: 'docs.fireworks.ai',
  },
  ollama: {
    ...local,
    baseUrl: 'http://127.0.0.1:11434/v1',
    note: 'Cuts long prompts in silence: set the window in a Modelfile or by OLLAMA_CONTEXT_LENGTH. No tool choice.',
    source: 'source of 0.33.0-rc2',
  },
  llama: {
    ...local,
    baseUrl: 'http://127.0.0.1:8080/v1',
    note: 'llama-server; the name is not checked. The seed is random unless it is set.',
    source: 'source of v0.5.0',
  },
  vllm: {
    ...local,
    baseUrl: 'http://127.0.0.1:8000/v1',
    note: 'Tools need --enable-auto-tool-choice and --tool-call-parser, thoughts --reasoning-parser.',
    source: 'source of the entry points, 2025 and 2026',
  },
  sglang: {
    ...local,
    baseUrl: 'http://127.0.0.1:30000/v1',
    note: 'Tools need --tool-call-parser.',
    source: 'source of the entry points, 2025 and 2026',
  },
  lmstudio: {
    ...local,
    baseUrl: 'http://127.0.0.1:1234/v1',
    note: 'Calls that it cannot parse stay in the text.',
    source: 'lmstudio.ai/docs',
  },
}

/** Where a model is, and how it is spoken to before anything is learnt of its endpoint. */
export interface Described {
  /** As tables call it. */
  label: string
  /** As the endpoint calls it. */
  model: string
  settings: ModelSettings
  /** Null where the address is the user's own. */
  preset: Preset | null
  baseUrl: string
  /** Null: no key is sent. To an address that the model itself names goes none that it does not name as well. */
  keyEnv: string | null
  needsKey: boolean
  limit: LimitField
}

/** Reads a description. `env` gives the address where neither the model nor a preset has one. Throws `UserError`. */
export function describeModel(entry: ModelEntry, env: Readonly<Record<string, string | undefined>>): Described {
  const settings = parseModel(entry)
  const label = modelLabel(entry)
  const [, prefix = '', rest = ''] = /^([a-z]+):(.+)$/.exec(settings.name) ?? []
  const named = Object.hasOwn(PRESETS, prefix) ? (PRESETS[prefix] ?? null) : null
  const own = settings.baseUrl ?? (named === null ? set(env['OPENAI_BASE_URL']) : undefined)
  const openai = PRESETS['openai']
  if (openai === undefined) throw new Error('There is no preset of OpenAI.')
  const preset = named ?? (own === undefined ? openai : null)
  const baseUrl = checked(
    own ?? preset?.baseUrl ?? openai.baseUrl,
    settings.baseUrl === undefined ? 'OPENAI_BASE_URL' : `The baseUrl of "${label}"`,
  )
  return {
    label,
    model: named === null ? settings.name : rest,
    settings,
    preset,
    baseUrl,
    keyEnv: settings.keyEnv ?? (settings.baseUrl === undefined ? keyOf(preset) : null),
    needsKey: settings.keyEnv !== undefined || (own === undefined && keyOf(preset) !== null),
    limit: preset?.limit ?? (isOpenAi(baseUrl) ? 'max_completion_tokens' : 'max_tokens'),
  }
}

const keyOf = (preset: Preset | null): string | null => (preset === null ? 'OPENAI_API_KEY' : preset.keyEnv)

/** Blanks around a value, such as the end of the line it was pasted with, are none of it. */
export const set = (value: string | undefined): string | undefined => (value?.trim() === '' ? undefined : value?.trim())

/** The two hosts that refuse `max_tokens`, and whose prices the table holds. */
export const isOpenAi = (baseUrl: string): boolean =>
  /(^|\.)(openai\.com|openai\.azure\.com)$/.test(new URL(baseUrl).hostname)

function checked(baseUrl: string, what: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return baseUrl
  // The value stays out of the sentence: people put credentials into URLs.
  throw new UserError(`${what} is no http or https address, such as "http://127.0.0.1:8000/v1".`)
}
