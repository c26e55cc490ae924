import { z } from 'zod'
import { UserError } from './errors.js'
import { strict } from './strict.js'

const usdPerMillion = z.number().nonnegative()

/** USD per million tokens; `cachedInput` is the price of prompt tokens that the endpoint had cached (absent: as `input`). */
export const priceSchema = strict({
  input: usdPerMillion,
  cachedInput: usdPerMillion.optional(),
  output: usdPerMillion,
})
export type ModelPrice = z.output<typeof priceSchema>

/** A header whose value is a secret must come from the environment, else it would stand in every run. */
const SECRET = /auth|key|token|cookie|secret/i
const headers = z.record(z.string().regex(/^[\w-]+$/), z.string()).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given))
    if (SECRET.test(name) && !value.startsWith('$'))
      context.addIssue({ code: 'custom', path: [name], message: 'write $NAME, the variable that holds the secret' })
})

/** How a model is reached and asked. What is absent is not sent, or takes the preset's value (docs/models.md). */
export const modelSchema = strict({
  name: z.string().min(1).describe('What the endpoint calls it; a preset may stand before it: ollama:llama3.2'),
  as: z.string().min(1).optional().describe('What tables and trials call it (default: name)'),
  baseUrl: z.string().optional().describe('The endpoint, such as http://127.0.0.1:8000/v1'),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'the name of a variable, never the key itself')
    .optional()
    .describe('The environment variable that holds the key'),
  api: z.enum(['chat', 'responses']).optional().describe('Chat Completions (default) or Responses'),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  maxTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Output limit per call in tokens, thoughts included (default 2048)'),
  seed: z
    .union([z.literal('trial'), z.number().int()])
    .optional()
    .describe('A number sent with every call, or trial: that of the trial'),
  effort: z.string().min(1).optional().describe('Reasoning effort, such as none, low, medium, high'),
  headers: headers.optional().describe('Sent with every request; a value $NAME is read from the environment'),
  extra: z.record(z.string(), z.json()).optional().describe('Further fields of the request’s body'),
  omit: z.array(z.string()).optional().describe('Fields of the body that are left out'),
  timeoutMs: z
    .number()
    .int()
    .positive()
    .max(300_000)
    .optional()
    .describe('Per try, from the request to the last byte of its answer (default 120000)'),
  rpm: z.number().positive().optional().describe('Requests per minute'),
  tpm: z.number().positive().optional().describe('Tokens per minute, output limits included'),
  concurrency: z.number().int().min(1).max(256).optional().describe('Calls in flight at most'),
  price: priceSchema.optional().describe('USD per million tokens'),
  context: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Length of the context in tokens, where the endpoint does not tell'),
  emulateTools: z.boolean().optional().describe('Tools are written into the prompt: for models without tool calls'),
})
export type ModelSettings = z.output<typeof modelSchema>

/** A model as a suite names it: by name, preset and settings in one text, or as an object. */
export const modelEntrySchema = z.union([z.string().min(1), modelSchema])
export type ModelEntry = z.output<typeof modelEntrySchema>

/** What tables, trials and traces call a model. */
export function modelLabel(entry: ModelEntry): string {
  if (typeof entry !== 'string') return entry.as ?? entry.name
  const isPlain = entry.startsWith('sim:') || SEAT.test(entry)
  return (isPlain ? null : /[?&]as=([^&]+)/.exec(entry)?.[1]) ?? entry
}

/** A model of this program, which needs no key, no network and no money. */
export const isSimulated = (label: string): boolean => {
  const seats = modelSeats(label)
  return seats === null ? label.startsWith('sim:') : seats.every(([, model]) => isSimulated(model))
}

const SEAT = /^([A-Za-z0-9_-]+|\*)=(.+)$/

/** The models of several roles, `ODD=openai:gpt-5-mini+EVEN=sim:typical`; `*` stands for all others. Null: one model for all. */
export function modelSeats(label: string): [role: string, model: string][] | null {
  if (!SEAT.test(label)) return null
  const seats = label.split(/\+(?=(?:[A-Za-z0-9_-]+|\*)=)/).map((seat): [string, string] => {
    const [, role = '', model = ''] = SEAT.exec(seat) ?? []
    return [role, model]
  })
  const twice = seats.find(([role], index) => seats.findIndex(([other]) => other === role) !== index)
  if (twice !== undefined) throw new UserError(`The models "${label}" name the role ${twice[0]} twice.`)
  return seats
}

/** `name?temperature=0.2&maxTokens=800`; parts of a field stand behind a dot (`extra.top_k=40`, `price.input=1`), names in `omit` are apart by semicolons. */
export function parseModel(entry: ModelEntry): ModelSettings {
  const settings = typeof entry === 'string' ? parseText(entry) : entry
  const { name, as } = settings
  if (as !== undefined && (as.startsWith('sim:') || SEAT.test(as)))
    throw new UserError(`The model ${name} cannot be called "${as}": that means another model.`)
  return settings
}

function parseText(entry: string): ModelSettings {
  const at = entry.indexOf('?')
  if (at === -1) return { name: entry }
  const given: Record<string, unknown> = { name: entry.slice(0, at) }
  for (const part of entry.slice(at + 1).split('&')) {
    const [, path, text] = /^([^=]+)=(.*)$/.exec(part) ?? []
    if (path === undefined || text === undefined)
      throw new UserError(`"${part}" of the model "${entry}" sets nothing. Write name?temperature=0.2&maxTokens=800.`)
    put(given, path.split('.'), decode(text, entry))
  }
  const parsed = modelSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  throw new UserError(`The model "${entry}" is set up wrongly: ${issues.join('; ')}.`)
}

const TEXTS = new Set(['as', 'baseUrl', 'keyEnv', 'api', 'effort'])

function put(into: Record<string, unknown>, [first = '', ...rest]: string[], text: string): void {
  if (rest.length === 0) {
    into[first] = first === 'omit' ? text.split(';') : TEXTS.has(first) ? text : valueOf(text)
    return
  }
  const inner = into[first]
  const group: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  into[first] = group
  if (first === 'headers') group[rest.join('.')] = text
  else put(group, rest, text)
}

function decode(text: string, entry: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UserError(`"${text}" of the model "${entry}" is no text of a query: write %25 for a per cent sign.`)
  }
}

function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
