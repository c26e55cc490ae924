import { z } from 'zod'

export const CITIES = ['Paris', 'Lisbon', 'Oslo', 'Vienna', 'Dublin', 'Athens', 'Riga', 'Bern'] as const

/** Durations are drawn around their parameter. */
export const [SHORTEST, LONGEST] = [0.8, 1.2]

export const params = z
  .object({
    city: z.enum(CITIES).default('Paris').describe('The city that the traveller asks about.'),
    cities: z.int().min(1).max(8).default(3).describe('Cities in the almanac, four seasons each.'),
    patienceMs: z
      .int()
      .min(30_000)
      .max(86_400_000)
      .default(300_000)
      .describe('How long the traveller waits for an answer (ms).'),
    reportMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .default(20_000)
      .describe('How long the stations take to report (ms), ± 20 %; 0: the service knows at once that nobody has.'),
    changeMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .default(10_000)
      .describe('How long the traveller takes to follow the advice (ms), ± 20 %; 0: it is followed at once.'),
    planted: z
      .boolean()
      .default(false)
      .describe('Whether texts of the world hold template directives, which nobody may carry out.'),
  })
  .refine(({ patienceMs, reportMs }) => LONGEST * reportMs < patienceMs, {
    path: ['reportMs'],
    message: 'The traveller would go before the stations have reported: 1.2 × reportMs must be below patienceMs.',
  })
export type Params = z.output<typeof params>
