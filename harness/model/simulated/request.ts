import { z } from 'zod'
import type { JsonSchema } from '../../define/index.js'

const call = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
const message = z.union([
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
const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

/** The part of a Chat Completions body that the reader looks at. */
export const requestSchema = z.object({
  model: z.string(),
  messages: z.array(message),
  tools: z
    .array(
      z.object({
        function: z.object({ name: z.string(), description: z.string().default(''), parameters: schema.default({}) }),
      }),
    )
    .default([]),
  response_format: z.object({ json_schema: z.object({ name: z.string(), schema }).optional() }).optional(),
  seed: z.number().default(0),
  stream: z.literal(false).default(false),
})
export type Request = z.output<typeof requestSchema>
