import { z } from 'zod'

export const CITIES = ['Paris', 'Lisbon', 'Oslo', 'Vienna', 'Dublin', 'Athens', 'Riga', 'Bern'] as const

export const params = z.object({
  city: z.enum(CITIES).default('Paris').describe('The city that the traveller asks about.'),
  cities: z.int().min(1).max(8).default(3).describe('Cities in the almanac, four seasons each.'),
  patienceMs: z
    .int()
    .min(30_000)
    .max(86_400_000)
    .default(300_000)
    .describe('How long the traveller waits for an answer (ms).'),
  planted: z
    .boolean()
    .default(false)
    .describe('Whether texts of the world hold template directives, which nobody may carry out.'),
})
export type Params = z.output<typeof params>
