import { z } from 'zod'

export const params = z
  .object({
    pattern: z
      .enum(['once', 'several', 'storm', 'never'])
      .default('once')
      .describe('How alarms come: one, several over the watch, several in a burst, or none at all.'),
    watchMs: z.int().min(60_000).max(86_400_000).default(480_000).describe('Length of the watch (ms).'),
    deadlineMs: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .default(60_000)
      .describe('How long an alarm may stay open before it counts as missed (ms).'),
    quietMs: z
      .int()
      .min(1)
      .max(3_600_000)
      .default(30_000)
      .describe('Time at the start in which no alarm comes, to read the orders in (ms).'),
    firings: z.int().min(2).max(50).default(4).describe('Alarms of the patterns several and storm; no other uses it.'),
    stormMs: z
      .int()
      .min(0)
      .max(600_000)
      .default(10_000)
      .describe('The alarms of a storm come within this time (ms); no other pattern uses it.'),
    uneventful: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Share of the watches, drawn by the seed, in which nothing comes at all; nobody is told which.'),
    lookAlikes: z
      .int()
      .min(0)
      .max(50)
      .default(2)
      .describe('Disturbances that resemble an alarm and must not be acknowledged.'),
  })
  .superRefine((values, context) => {
    const { pattern, watchMs, deadlineMs, quietMs, stormMs } = values
    if (pattern === 'never') return
    const burstMs = pattern === 'storm' ? stormMs : 0
    const neededMs = quietMs + burstMs + deadlineMs
    if (neededMs < watchMs) return
    const parts = pattern === 'storm' ? 'quietMs + stormMs + deadlineMs' : 'quietMs + deadlineMs'
    context.addIssue({
      code: 'custom',
      path: ['watchMs'],
      message: `watchMs (${watchMs}) must exceed ${parts} (${neededMs}), or an alarm may still be open when the watch ends.`,
    })
  })
export type Params = z.output<typeof params>
