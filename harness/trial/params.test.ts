import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseParams } from './params.js'

const schema = z.object({ depth: z.number().default(1) }).superRefine(({ depth }, context) => {
  if (depth > 3) context.addIssue({ code: 'custom', path: ['depth'], message: `depth (${depth}) must be below 3.` })
})

test('an environment’s own sentence ends with one full stop, whether it brings one or not', () => {
  expect(() => parseParams('pond', schema, { depth: 4 })).toThrow(
    /^Parameters of pond do not fit: depth = 4: depth \(4\) must be below 3\. See `sora-bench describe pond`\.$/,
  )
})
