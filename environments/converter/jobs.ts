import type { Kit } from '../../harness/contract/index.js'
import type { Params } from './params.js'

/** How one job will go. Drawn for the document and the attempt, so that the order of calls changes nothing. */
export interface Course {
  lastsMs: number
  fails: boolean
}

export function drawCourse({ params, random }: Kit<Params>, file: string, attempt: number): Course {
  const { jobMs, jitter, failureRate } = params
  const lastsMs = Math.round(jobMs * random.stream('duration', file, attempt).uniform(1 - jitter, 1 + jitter))
  return { lastsMs, fails: random.stream('failure', file, attempt).chance(failureRate) }
}
