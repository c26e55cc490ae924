import { z } from 'zod'
import { terms, windowOf } from '../../harness/kit/index.js'

/** Of a sleep, where the agent sets it and its suite does not say how long. */
export const DEFAULT_MS = 2_000
/** Where its doubling ends. */
export const DEFAULT_MAX_MS = 60_000

/** Those without a default stand in no identity until they are set: what is absent is `sequential`, and the model's choice. */
export const reactParams = z.strictObject({
  ...terms,
  window: windowOf(null),
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

const withIntervals = reactParams.extend({
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

/** A length that nobody asks for is no setting: two such runs would be the same, under two names. */
export const pollingParams = withIntervals
  .refine(({ interval = 'model', intervalMs }) => intervalMs === undefined || interval !== 'model', {
    path: ['intervalMs'],
    message: 'has no effect unless interval is fixed or backoff',
  })
  .refine(({ interval, maxIntervalMs }) => maxIntervalMs === undefined || interval === 'backoff', {
    path: ['maxIntervalMs'],
    message: 'has no effect unless interval is backoff',
  })
  .refine(
    ({ interval, intervalMs = DEFAULT_MS, maxIntervalMs = DEFAULT_MAX_MS }) =>
      interval !== 'backoff' || intervalMs <= maxIntervalMs,
    { path: ['maxIntervalMs'], message: 'must not be below intervalMs' },
  )

export type ReactParams = z.output<typeof reactParams> &
  Partial<z.output<typeof blockingParams>> &
  Partial<z.output<typeof pollingParams>>
