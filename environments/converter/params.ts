import { z } from 'zod'

export const params = z.object({
  documents: z.int().min(1).max(16).default(1).describe('Documents to be converted: one goal each.'),
  capacity: z
    .int()
    .min(1)
    .max(16)
    .default(16)
    .describe('Jobs that run side by side; with as many, the converter is OVERLOADED.'),
  jobMs: z.int().min(1_000).max(14_400_000).default(60_000).describe('Mean duration of a job (ms).'),
  jitter: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.2)
    .describe('How far a duration is drawn around the mean, as a share of it; 0: all jobs take equally long.'),
  failureRate: z
    .number()
    .min(0)
    .max(0.5)
    .default(0)
    .describe('Share of the jobs that fail at their end, drawn for each document and attempt.'),
  announce: z
    .enum(['caller', 'all'])
    .default('caller')
    .describe('Who hears of the end of a job: the activity that started it, or all that watch the converter.'),
  goals: z
    .enum(['together', 'apart', 'in_turn'])
    .default('together')
    .describe('When the goals arrive: all at the start, goalGapMs apart, or each when the one before is achieved.'),
  goalGapMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .default(30_000)
    .describe('Between the arrivals of two goals that come apart (ms).'),
})
export type Params = z.output<typeof params>

/** The documents by name. They are the same for all agents of a case. */
export function documentsOf({ documents }: Params): string[] {
  return Array.from({ length: documents }, (_, index) => `report-${index + 1}`)
}
