import { z } from 'zod'

const count = z.number().int().min(0).max(1_000)
const duration = z.number().int().min(1).max(86_400_000)

/** Each field is an ablation or a bound of the architecture. */
export const params = z.strictObject({
  window: count.min(1).default(7).describe('Steps of the history that a prompt shows (COMPLETED shows all)'),
  guard: z
    .boolean()
    .default(true)
    .describe('Divert to OBSERVATION on undrained signals, before model calls and actions'),
  maxDiversions: count.default(3).describe('Diversions in a row, with no step forward between them'),
  knowledgeConstraint: z
    .boolean()
    .default(true)
    .describe('No operation without a mounted document that covers its tool'),
  wakeOnAnySignal: z.boolean().default(false).describe('Any signal ends a wait, not only the named ones'),
  waitTimeoutMs: duration.default(300_000).describe('Time-out of a wait for which the model states none (ms)'),
  maxWaitMs: duration.default(3_600_000).describe('Upper bound of the time-out of any wait (ms)'),
  resyncMs: duration
    .nullable()
    .default(null)
    .describe('While suspended, read the log at this interval (ms); null: never'),
  retries: count.default(2).describe('Corrections of an answer that cannot be used, per phase'),
  maxSetbacks: count.default(3).describe('Phases in a row that lead nowhere; one more ends the activity'),
})
export type Params = z.output<typeof params>
