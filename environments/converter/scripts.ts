import type { Hand, Kit, World } from '../../harness/contract/index.js'
import type { Converter } from './converter.js'
import { drawCourse } from './jobs.js'
import { documentsOf } from './params.js'
import type { Params } from './params.js'

interface Running {
  job: string
  file: string
  attempt: number
  endsAt: number
  fails: boolean
}

/** The oracle knows the course of every job, so that it always waits for the signal that comes next. */
export function buildScripts(kit: Kit<Params>, converter: Converter): Pick<World, 'oracle' | 'saboteurs'> {
  const { startJob, downloadResult, completed, failed } = converter
  const files = documentsOf(kit.params)
  const [first = ''] = files

  async function oracle(hand: Hand): Promise<void> {
    const waiting = files.map((file) => ({ file, attempt: 0 }))
    const running: Running[] = []
    let jobs = 0
    for (;;) {
      while (running.length < kit.params.capacity) {
        const next = waiting.shift()
        if (next === undefined) break
        const { lastsMs, fails } = drawCourse(kit, next.file, next.attempt)
        await hand.operate(startJob, { file: next.file })
        running.push({ ...next, job: `job-${++jobs}`, endsAt: kit.now() + lastsMs, fails })
      }
      const ending = running.toSorted((a, b) => a.endsAt - b.endsAt)[0]
      if (ending === undefined) return
      running.splice(running.indexOf(ending), 1)
      await hand.waitFor(ending.fails ? failed : completed)
      if (ending.fails) waiting.push({ file: ending.file, attempt: ending.attempt + 1 })
      else await hand.operate(downloadResult, { job: ending.job })
    }
  }

  return {
    oracle,
    saboteurs: {
      empty_download: async (hand) => {
        await hand.operate(startJob, { file: first })
        await hand.operate(downloadResult, { job: 'job-1' })
      },
      lost_job: async (hand) => {
        for (let started = 0; started <= kit.params.capacity; started++) await hand.operate(startJob, { file: first })
      },
    },
  }
}
