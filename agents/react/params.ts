import { z } from 'zod'

/** Those without a default stand in no identity until they are set: what is absent is `sequential`, and the model's choice. */
export const reactParams = z.strictObject({
  maxMalformed: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('Answers in a row that cannot be carried out and are corrected; one more ends the agent'),
  goalPolicy: z
    .enum(['sequential', 'merged'])
    .optional()
    .describe('Several goals: one conversation after the other (if absent), or all that have arrived as one prompt'),
})

export const blockingParams = reactParams.extend({
  blockTimeoutMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .default(1_200_000)
    .describe('How long an operation is waited for (ms)'),
})

export const pollingParams = reactParams.extend({
  interval: z
    .enum(['model', 'fixed', 'backoff'])
    .optional()
    .describe(
      'Who chooses how long a sleep lasts: the model (if absent), or the agent: always intervalMs, or doubling',
    ),
  intervalMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe('Length of a fixed sleep, and of the first of a back-off (ms; 2000 if absent)'),
  maxIntervalMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe('Where a back-off stops doubling (ms; 60000 if absent)'),
})

export type ReactParams = z.output<typeof reactParams> &
  Partial<z.output<typeof blockingParams>> &
  Partial<z.output<typeof pollingParams>>
