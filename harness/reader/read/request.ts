import { z } from 'zod'
import type { Json, JsonObject, JsonSchema } from '../../contract/index.js'
import type { ReaderState } from '../../model/chat.js'
import { countJson } from '../../model/tokens.js'
import type { Verb } from '../think/intent.js'
import { isObject, lines } from '../../kit/index.js'

const call = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z
      .string()
      .nullish()
      .transform((text) => text ?? null),
    tool_calls: z.array(call).optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])
const jsonSchema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

const toolsSchema = z.array(
  z.object({
    function: z.object({
      name: z.string(),
      description: z.string().default(''),
      parameters: jsonSchema.default({}),
    }),
  }),
)
type Tools = z.output<typeof toolsSchema>

const NO_TOOLS: Tools = []
const toolsRead = new Map<string, Tools>()
const tokensOf = new WeakMap<Tools, number>()

/** Equal tools come again and again: they are kept by their text, so equal texts give the same object. */
function readTools(given: unknown, context: z.RefinementCtx): Tools {
  if (given === undefined) return NO_TOOLS
  const text = JSON.stringify(given)
  const known = toolsRead.get(text)
  if (known !== undefined) return known
  const { data, error } = toolsSchema.safeParse(given)
  for (const issue of error?.issues ?? []) context.addIssue({ ...issue, code: 'custom' })
  if (data === undefined) return z.NEVER
  if (toolsRead.size >= 256) toolsRead.clear()
  toolsRead.set(text, data)
  return data
}

/** The part of a Chat Completions body that the reader looks at. */
export const requestSchema = z.object({
  model: z.string(),
  messages: z.array(message),
  tools: z.unknown().optional().transform(readTools),
  response_format: z.object({ json_schema: z.object({ name: z.string(), schema: jsonSchema }).optional() }).optional(),
  seed: z.number().default(0),
  stream: z.literal(false).default(false),
  /** Who asks, and what the harness counts for the reader, which remembers nothing. */
  x_reader: z
    .custom<ReaderState>((value) => typeof value === 'object' && value !== null && 'counts' in value)
    .optional(),
})
export type Request = z.output<typeof requestSchema>

/** A function that a request offers, as the verb that it is for. */
export type Offered =
  /** `waits`: a call may say what is waited for once it is acknowledged. */
  | { verb: 'operate'; name: string; summary: string; actions: { name: string; summary: string }[]; waits: boolean }
  | { verb: Exclude<Verb, 'operate'>; name: string; parameters: JsonObject }

/** The vocabulary: names first, then words of the description. */
const NAMES: Readonly<Record<string, Exclude<Verb, 'operate'> | null>> = {
  system_discovery: 'discover',
  manual_retrieval: 'read',
  read_properties: 'observe',
  sleep: 'sleep',
  wait_for: 'wait',
  wait: 'wait',
  mount: 'mount',
  focus: 'focus',
  // It has no use for it.
  unfocus: null,
  decline: 'decline',
}
const WORDS: readonly [RegExp, Exclude<Verb, 'operate'>][] = [
  [/\bdecline|cannot be carried out/i, 'decline'],
  [/\blists? (?:the )?(?:tools|documents)|\bcatalogue\b/i, 'discover'],
  [/\bretrieves? (?:a|the) (?:document|manual)/i, 'read'],
  [/\breads? (?:the )?(?:present |current )?(?:values|state|properties)/i, 'observe'],
  [/\bwaits? (?:for|until)\b|\bsignals?\b/i, 'wait'],
  [/\b(?:sleeps?|pauses?|lets? time pass|does nothing for)\b/i, 'sleep'],
  [/\bmounts?\b|\bput (?:documents )?into the prompt\b/i, 'mount'],
  [/\bfocus(?:es)?\b|\bsubscribes?\b/i, 'focus'],
]

const texts = new WeakMap<Request['tools'], string>()

/** The tools of a request as one text, which is written once. */
export function textOfTools(tools: Request['tools']): string {
  const text = texts.get(tools) ?? JSON.stringify(tools)
  texts.set(tools, text)
  return text
}

const offers = new Map<string, Offered[]>()

/** What the tools of a request count as they came, with all that the reader does not look at. */
export function countTools(read: Request['tools'], given: unknown): number {
  const known = tokensOf.get(read) ?? countJson(given)
  tokensOf.set(read, known)
  return known
}

/** The functions of a request. Equal tools come again and again: they are kept by their text. */
export function readOffer(tools: Request['tools']): Offered[] {
  const text = textOfTools(tools)
  const known = offers.get(text)
  if (known !== undefined) return known
  const offer = tools.flatMap(({ function: tool }) => classify(tool) ?? [])
  if (offers.size >= 256) offers.clear()
  offers.set(text, offer)
  return offer
}

function classify(tool: { name: string; description: string; parameters: JsonSchema }): Offered | null {
  const { name, description, parameters } = tool
  const properties = isObject(parameters['properties']) ? parameters['properties'] : {}
  const actions = enumOf(properties['action'])
  if (actions.length > 0) {
    const { summary, actions: told } = lines.readToolDescription(description)
    return {
      verb: 'operate',
      name,
      summary,
      actions: actions.map((each) => ({ name: each, summary: told.get(each) ?? '' })),
      waits: isWait(properties['wait']),
    }
  }
  const verb = verbOf(name, description)
  return verb === null ? null : { verb, name, parameters: properties }
}

/** What a call is for that is no operation, by its name, or else by its description. */
export const verbOf = (name: string, description: string): Exclude<Verb, 'operate'> | null =>
  (Object.hasOwn(NAMES, name) ? NAMES[name] : verbOfWords(description)) ?? null

/** The verb that a text speaks of, but to operate. */
export const verbOfWords = (text: string): Exclude<Verb, 'operate'> | undefined =>
  WORDS.find(([words]) => words.test(text))?.[1]

/** An argument that takes a condition to wait for, as `wait` does. */
function isWait(schema: Json | undefined): boolean {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) && Object.hasOwn(properties, 'signals')
}

function enumOf(schema: Json | undefined): string[] {
  const values = isObject(schema) ? schema['enum'] : undefined
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : []
}
