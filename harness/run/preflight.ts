import { z } from 'zod'
import { RunStopped, UserError } from '../contract/index.js'
import type { ToolSpec } from '../contract/index.js'
import { parseJson, readObject } from '../kit/index.js'
import { ContextOverflow } from '../model/chat.js'
import type { Completion } from '../model/chat.js'
import type { Rung } from '../model/ladder.js'
import type { EndpointModel } from '../model/openai.js'
import { PurseEmpty } from '../model/purse.js'
import { OUTPUT_LIMIT } from '../model/wire.js'

/** What one or two cheap calls have shown of a model before the first trial; it stands in `run.json`. */
export const preflightSchema = z.object({
  model: z.string(),
  endpoint: z.string(),
  /** What the endpoint says that it asked; null: it does not say. */
  servedBy: z.string().nullable(),
  toolCalls: z.enum(['called', 'in the prompt', 'not called']),
  structured: z.enum(['json_schema', 'json_object', 'in the prompt', 'unreadable']),
  /** The field of the output limit; null: the endpoint takes none. */
  limit: z.string().nullable(),
  /** Did an answer keep to it? */
  limitKept: z.boolean(),
  usage: z.enum(['reported', 'counted here']),
  /** Tokens, as declared; null: nobody says. */
  context: z.number().nullable(),
  /** The effort that reasoning is asked with; null: the model's own. */
  effort: z.string().nullable(),
  /** What the endpoint turned out to want otherwise. */
  rungs: z.array(z.object({ rung: z.string(), said: z.string() })),
})
export type Preflight = z.output<typeof preflightSchema>

const parameters = {
  type: 'object',
  properties: { value: { type: 'integer', description: 'A whole number.' } },
  required: ['value'],
  additionalProperties: false,
} as const
const report: ToolSpec = { kind: 'sleep', name: 'report', description: 'Reports a number.', parameters, actions: [] }
const OFFERED_MS = 5_000

/**
 * Asks for a tool call and for a structured answer, as agents will. Throws `UserError` with the server's own sentence where
 * no call can succeed, `InfrastructureError` where the endpoint cannot be reached or the budget has no room.
 */
export async function preflight(model: EndpointModel): Promise<Preflight> {
  const { settings } = model.described
  const call = await first(model, {
    messages: [{ role: 'user', content: 'Call the tool `report` with the value 7.' }],
    tools: [report],
  })
  const answer = await first(model, {
    messages: [{ role: 'user', content: 'What is 3 + 4? Answer in JSON: an object whose `value` is the number.' }],
    schema: { name: 'sum', schema: parameters },
  })
  const read = readObject(answer.text ?? '', parameters)?.value['value']
  const limit = settings.maxTokens ?? OUTPUT_LIMIT
  const offered = settings.context === undefined ? await model.offered(OFFERED_MS) : []
  return {
    model: model.name,
    endpoint: model.endpoint,
    servedBy: answer.servedBy ?? null,
    ...mannersOf(model),
    toolCalls: !isCall(call) ? 'not called' : model.manners.tools === 'prompt' ? 'in the prompt' : 'called',
    structured: typeof read !== 'number' ? 'unreadable' : formatOf(model),
    limitKept: [call, answer].every(({ usage }) => usage.completionTokens <= limit),
    usage: answer.usage.counted ? 'counted here' : 'reported',
    context: settings.context ?? offered.find(({ id }) => id === model.described.model)?.context ?? null,
  }
}

const isCall = ({ toolCalls: [made] }: Completion): boolean =>
  made?.name === report.name && parseJson(made.arguments) !== undefined

const formatOf = ({ manners: { format } }: EndpointModel): Preflight['structured'] =>
  format === 'prompt' ? 'in the prompt' : format

/** What is known of an endpoint's manners by now. */
export function mannersOf({ manners }: EndpointModel): Pick<Preflight, 'limit' | 'effort' | 'rungs'> {
  const limit = manners.limit !== null && manners.omit.has(manners.limit) ? null : manners.limit
  return { limit, effort: manners.effort, rungs: manners.rungs.map((rung): Rung => ({ ...rung })) }
}

async function first(
  model: EndpointModel,
  asked: Omit<Parameters<EndpointModel['complete']>[0], 'seed'>,
): Promise<Completion> {
  try {
    return await model.complete({ ...asked, seed: 1 })
  } catch (error) {
    if (error instanceof PurseEmpty) throw error
    if (error instanceof RunStopped) throw new UserError(`${error.message} No trial was run.`)
    if (error instanceof ContextOverflow) throw new UserError(`${error.message} No trial was run.`)
    throw error
  }
}
