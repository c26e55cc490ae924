import cliProgress from 'cli-progress'
import type { TrialLine } from '../contract/index.js'

export interface Progress {
  step(line: TrialLine): void
  stop(): void
}

/** A live line, or a line now and then (`before`: what was done already); always on stderr, so that stdout stays data. */
export const createProgress = (total: number, { before, isLive }: { before: number; isLive: boolean }): Progress =>
  isLive ? bar(total, before) : log(total, before)

function bar(total: number, before: number): Progress {
  const line = new cliProgress.SingleBar({
    format: '{bar} {value}/{total} trials · {rate}/s · {left} left · {solved} solved{errors}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  const count = counter(total, before)
  line.start(total, before, count.payload())
  return { step: (trial) => line.increment(1, count.add(trial)), stop: () => line.stop() }
}

function log(total: number, before: number): Progress {
  const count = counter(total, before)
  let next = before / total + 0.1
  return {
    step(trial) {
      const { rate, left, solved, errors } = count.add(trial)
      if (count.done() < total * next) return
      next = count.done() / total + 0.1
      process.stderr.write(`${count.done()}/${total} trials · ${rate}/s · ${left} left · ${solved} solved${errors}\n`)
    },
    stop() {},
  }
}

function counter(total: number, before: number) {
  const began = process.hrtime.bigint()
  let done = before
  let solved = 0
  let errors = 0
  const payload = () => {
    const seconds = Number(process.hrtime.bigint() - began) / 1e9
    const rate = (done - before) / Math.max(seconds, 1e-3)
    return {
      rate: rate < 10 ? rate.toFixed(1) : rate.toFixed(0),
      left: done === before ? '?' : duration((total - done) / rate),
      solved,
      errors: errors === 0 ? '' : ` · ${errors} infrastructure errors`,
    }
  }
  return {
    payload,
    done: () => done,
    add(line: TrialLine) {
      done++
      if (line.outcome === 'solved') solved++
      if (line.outcome === 'infrastructure_error') errors++
      return payload()
    },
  }
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
