import { z } from 'zod'
import { prompt } from '../../harness/kit/index.js'
import type { Likeness } from './similarity.js'

/** What an activity leaves behind when it has ended, well or badly (thesis 5.2.3, 7.4.3). */
export const experienceSchema = z.object({
  goal: z.string(),
  outcome: z.enum(['achieved', 'gave_up']),
  summary: z.string(),
  lessons: z.array(z.string()),
  procedure: z.array(z.string()),
  /** Documents, as the runtime saw them used; a memory of before did not keep them. */
  needed: z.array(z.string()).default([]),
  idle: z.array(z.string()).default([]),
})
export type Experience = z.output<typeof experienceSchema>

/** More are not kept: the oldest go first. */
const KEPT = 100

/** Episodic memory. */
export interface Experiences {
  add(experience: Experience): void
  /** Those of similar goals as lines, the most similar first, of equal ones the latest. */
  like(goal: string, by: { count: number; similarity: number; likeness: Likeness }): Promise<string[]>
  all(): readonly Experience[]
}

export function createExperiences(earlier: readonly Experience[] = []): Experiences {
  const kept = [...earlier]
  return {
    add(experience) {
      // What taught the same before teaches nothing new.
      const same = kept.findIndex((other) => JSON.stringify(other) === JSON.stringify(experience))
      if (same !== -1) kept.splice(same, 1)
      kept.push(experience)
      if (kept.length > KEPT) kept.shift()
    },
    async like(goal, { count, similarity, likeness }) {
      if (count === 0 || kept.length === 0) return []
      const found = kept.toReversed()
      const scores = await likeness(
        goal,
        found.map((experience) => experience.goal),
      )
      return found
        .map((experience, index) => ({ experience, score: scores[index] ?? 0 }))
        .filter(({ score }) => score >= similarity)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, count)
        .map(({ experience }) => prompt.experienceLine(experience))
    },
    all: () => kept,
  }
}
