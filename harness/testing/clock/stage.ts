import type { Clock, ClockEnd } from '../../contract/index.js'

const LIMITS = { untilMs: 60_000 }

/** A clock and what is said on it. */
export interface Stage {
  clock: Clock
  log: string[]
  say: (line: string) => void
  play: () => Promise<ClockEnd>
}

export function openStage(clock: Clock): Stage {
  const log: string[] = []
  return { clock, log, say: (line) => log.push(line), play: () => clock.run(LIMITS) }
}

/** Lets real time pass in which other work can run. */
export async function breath(times: number): Promise<void> {
  for (let taken = 0; taken < times; taken += 1) await new Promise((resolve) => setImmediate(resolve))
}

export async function answerIn<T>(breaths: number, answer: T): Promise<T> {
  await breath(breaths)
  return answer
}

export function notify(clock: Clock, breaths: number, handle: () => void): void {
  clock.sent()
  const deliver = async (): Promise<void> => {
    await breath(breaths)
    handle()
    clock.handled()
  }
  void deliver()
}
