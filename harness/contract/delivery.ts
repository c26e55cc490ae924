import { z } from 'zod'
import type { JsonObject } from './json.js'

const share = z.number().min(0).max(1).default(0)
const duration = z.int().min(0).max(3_600_000).default(0)
const period = (min: number, max: number) => z.int().min(min).max(max).nullable().default(null)
const copies = z.int().min(1).max(100).default(20)

/**
 * How the doorbells of a world travel, its state is read and its documents are listed: parameters of every environment
 * beside its own. The defaults are perfect delivery. Logs of signals are read whole, so no fault touches them: see
 * docs/faults.md; for the documents docs/environments.md.
 */
export const deliverySchema = z.strictObject({
  doorbellDrop: share.describe('Share of the doorbells that are lost'),
  doorbellDuplicate: share.describe('Share of the doorbells that ring twice'),
  doorbellReorder: share.describe('Share of the doorbells that others of the same step overtake'),
  doorbellDelayMs: duration.describe('How long every doorbell is under way (ms)'),
  doorbellJitterMs: duration.describe('How much longer at most, drawn for each (ms): later ones may overtake it'),
  telemetryMs: period(100, 3_600_000).describe('How often each tool in focus rings without a change (ms); null: never'),
  stormEveryMs: period(1_000, 86_400_000).describe(
    'Mean time between two storms of doorbells without news (ms); null: never',
  ),
  stormDoorbells: copies.describe('How often a storm rings the log, and each tool in focus'),
  readFail: share.describe('Share of the reads of state that fail at once'),
  readTimeout: share.describe('Share of the reads of state that get no answer, and fail after readTimeoutMs'),
  readTimeoutMs: z.int().min(1).max(3_600_000).default(5_000).describe('How long such a read is waited for (ms)'),
  readSlowMs: duration.describe('How long a read of state takes at most, drawn for each (ms)'),
  readStaleMs: duration.describe('How old the state is at most that a read brings, drawn for each (ms)'),
  covers: z
    .enum(['shown', 'hidden'])
    .default('shown')
    .describe('Whether the catalogue says which tools a document covers; hidden: only its text does'),
  nearMiss: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe('Manuals of another plant in the catalogue: the same words, other tools, rules that are false here'),
})
export type Delivery = z.output<typeof deliverySchema>

/** Every doorbell rings once, at once, in order, and only for news. What a scenario's parameters leave out has these values. */
export const PERFECT_DELIVERY: Readonly<Delivery> = deliverySchema.parse({})

/** A scenario's parameters with those of delivery that it leaves out, for tables and selectors that compare cases. */
export function withDelivery(params: JsonObject): JsonObject {
  return { ...params, ...PERFECT_DELIVERY, ...params }
}
