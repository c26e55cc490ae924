import { z } from '../../harness/contract/index.js'
import { terms, windowOf } from '../../harness/kit/index.js'
import { readRegistry } from './registry.js'
import { readAnswers } from './user.js'

const LEVELS = 5

/** A text that is only accepted if it can be read. */
const readable = (read: (text: string) => object & { wrong?: string }) =>
  z.string().superRefine((text, context) => {
    const { wrong } = read(text)
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrong })
  })

export const params = z.strictObject({
  registry: readable(readRegistry)
    .default('none')
    .describe('The registered agents: a preset (none, weather), or a JSON array of them; see docs/agencia.md'),
  answers: readable(readAnswers)
    .default('[]')
    .describe('What the user answers: a JSON array of {"to": words of the question, "answer", "afterMs"}'),
  user: z
    .enum(['scripted', 'terminal'])
    .optional()
    .describe('Who answers: `answers` (scripted, the default), or who sits at the terminal (on the wall clock)'),
  askTimeoutMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(600_000)
    .describe('How long the user is waited for (ms); then there is no result'),
  maxDepth: z
    .int()
    .min(1)
    .max(20)
    .default(LEVELS)
    .describe('How deep agents may call each other, and how many rounds of calls one turn may have'),
  maxTurns: z
    .int()
    .min(1)
    .max(1_000)
    .default(40)
    .describe('How many turns the conversation may have: where one has reached its depth, the next begins anew'),
  ...terms,
  window: windowOf(null),
})
export type AgenciaParams = z.output<typeof params>
