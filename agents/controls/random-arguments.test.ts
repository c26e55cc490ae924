import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../harness/contract/index.js'
import { createRandom } from '../../harness/sim/random.js'
import { randomArguments } from './random-arguments.js'

test('Whatever the draw, the arguments fit their schema and never choose the action.', () => {
  const schema = z.strictObject({
    level: z.number().int().min(-5).max(-2),
    count: z.number().int(),
    share: z.number().positive().max(1.5),
    below: z.number().max(-3),
    name: z.string(),
    colour: z.enum(['red', 'green']).optional(),
    on: z.boolean().nullable(),
    list: z.array(z.number().int().min(7)),
    inner: z.strictObject({ fixed: z.literal('x') }).optional(),
  })
  const { properties, ...rest } = z.toJSONSchema(schema)
  const printed: JsonSchema = JSON.parse(
    JSON.stringify({ ...rest, properties: { ...properties, action: { enum: ['go'] } } }),
  )
  const random = createRandom('arguments')
  const drawn = Array.from({ length: 300 }, (_, index) => randomArguments(printed, random.stream(index)))
  for (const args of drawn) expect(schema.safeParse(args).error).toBeUndefined()
  expect(new Set(drawn.map(({ colour }) => colour))).toEqual(new Set([undefined, 'red', 'green']))
})
