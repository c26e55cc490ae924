import { z } from 'zod'
import type { Random } from '../../harness/contract/index.js'
import { flushTicks, longestRampTicks } from './durations.js'

/** A guard against worlds that cost more events than anybody wants to pay. */
const MAX_RAMP_TICKS = 10_000
/** The core ends as a pool at this temperature, whatever it began with. */
export const MELTED_TEMP_C = 6_000
/** From this pressure on the feed line is in danger. */
export const LINE_LIMIT_BAR = 40
export const DEFAULT_RELIEVE_WITHIN_MS = 15_000

export const params = z
  .object({
    tickMs: z.int().min(100).max(60_000).default(1_000).describe('Step of the physics (ms).'),
    rampMs: z
      .int()
      .min(1)
      .max(3_600_000)
      .nullable()
      .default(null)
      .describe('Time from pump start to nominal pressure (ms), rounded up to whole ticks; null: drawn tick by tick.'),
    targetPsi: z.int().min(500).max(10_000).default(2_500).describe('Pressure at which the pump is nominal (PSI).'),
    coolingRate: z
      .number()
      .min(0.01)
      .max(0.95)
      .default(0.2)
      .describe('Share of the distance to the coolant temperature that one tick of flushing removes.'),
    startTempC: z.int().min(300).max(5_000).default(3_000).describe('Core temperature at the start (°C).'),
    safeTempC: z.int().min(100).max(2_000).default(500).describe('The core is stable below this temperature (°C).'),
    coolantTempC: z.int().min(0).max(1_000).default(200).describe('What flushing cools towards (°C).'),
    buttons: z.int().min(4).max(12).default(4).describe('Buttons on the console; one of them flushes.'),
    shuffleButtons: z.boolean().default(false).describe('Deal the functions of the buttons by the seed.'),
    randomCredentials: z.boolean().default(false).describe('Draw user and code by the seed.'),
    distractors: z.int().min(2).max(50).default(2).describe('Documents that are of no use.'),
    ackHints: z.boolean().default(false).describe('Acknowledgements advise what to do next, as in Listing 6.2.'),
    meltdownAfterMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .nullable()
      .optional()
      .describe('The core melts by itself at this time (ms) unless it is stable; null or absent: never.'),
    overpressure: z
      .enum(['never', 'ramp', 'flush', 'either', 'both'])
      .optional()
      .describe(
        'When the feed line comes under over-pressure, at a drawn time: while the pump ramps, during the flush, in one of them (drawn), or in both; absent: never.',
      ),
    relieveWithinMs: z
      .int()
      .min(500)
      .max(600_000)
      .optional()
      .describe(
        `How long over-pressure may last before the feed line bursts (ms); absent: ${DEFAULT_RELIEVE_WITHIN_MS}. Without overpressure it has no use.`,
      ),
  })
  .superRefine((values, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const { startTempC, safeTempC, coolantTempC, rampMs, tickMs, meltdownAfterMs } = values
    if (startTempC <= safeTempC)
      refuse('startTempC', `startTempC (${startTempC}) must be above safeTempC (${safeTempC}), or nothing is critical.`)
    if (safeTempC <= coolantTempC)
      refuse(
        'safeTempC',
        `safeTempC (${safeTempC}) must be above coolantTempC (${coolantTempC}): no flush cools below its coolant.`,
      )
    if (rampMs !== null && rampMs > MAX_RAMP_TICKS * tickMs)
      refuse('rampMs', `rampMs (${rampMs}) takes more than ${MAX_RAMP_TICKS} ticks of ${tickMs} ms: raise tickMs.`)
    if (typeof meltdownAfterMs !== 'number' || safeTempC <= coolantTempC) return
    const neededMs = (longestRampTicks(values) + flushTicks(values)) * tickMs
    if (meltdownAfterMs <= neededMs)
      refuse(
        'meltdownAfterMs',
        `meltdownAfterMs (${meltdownAfterMs}) must exceed ${neededMs}, the longest ramp and the flush: nobody could be in time.`,
      )
  })
export type Params = z.output<typeof params>

/** What takes its time. */
export type Latent = 'ramp' | 'flush'

/** The processes that bring an alarm, in the order in which they come. */
export function overpressureIn({ overpressure = 'never' }: Params, random: Random): Latent[] {
  if (overpressure === 'never') return []
  if (overpressure === 'both') return ['ramp', 'flush']
  return [overpressure === 'either' ? random.stream('overpressure').pick<Latent>(['ramp', 'flush']) : overpressure]
}
