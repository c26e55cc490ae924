import cliProgress from 'cli-progress'
import type { TrialLine } from '../contract/index.js'
import type { Waiting } from '../model/gate.js'
import { clean } from '../trace/text.js'

export interface Progress {
  step(line: TrialLine): void
  stop(): void
}

/** A live line, or a line now and then (`before`: what was done already); always on stderr, so that stdout stays data. */
export const createProgress = (
  total: number,
  { before, isLive, waits }: { before: number; isLive: boolean; waits: Waits },
): Progress => (isLive ? bar(total, before, waits) : log(total, before, waits))

/** What calls to endpoints wait for. */
export type Waits = ReturnType<typeof createWaits>

export function createWaits() {
  let last: Waiting | null = null
  let shown: ((text: string) => void) | null = null
  const text = (): string => {
    if (last === null || (last.untilMs !== null && last.untilMs <= Date.now())) return ''
    const until =
      last.untilMs === null ? 'until it answers' : `until ${new Date(last.untilMs).toTimeString().slice(0, 8)}`
    return ` · waiting for ${clean(last.endpoint)}: ${clean(last.cause)}, ${until}`
  }
  return {
    onWait: (waiting: Waiting): void => {
      last = waiting
      shown?.(text())
    },
    text,
    /** A trial has ended: what does not say until when is over. */
    stepped(): void {
      if (last?.untilMs === null) last = null
    },
    show(how: (text: string) => void): void {
      shown = how
    },
  }
}

function bar(total: number, before: number, waits: Waits): Progress {
  const line = new cliProgress.SingleBar({
    format: '{bar} {value}/{total} trials · {rate}/s · {left} left · {solved} solved{errors}{waiting}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  const count = counter(total, before)
  line.start(total, before, { ...count.payload(), waiting: '' })
  waits.show((waiting) => line.update({ waiting }))
  return {
    step(trial) {
      waits.stepped()
      line.increment(1, { ...count.add(trial), waiting: waits.text() })
    },
    stop: () => line.stop(),
  }
}

/** A line of this kind is written at most so often. */
const WAITING_MS = 10_000

function log(total: number, before: number, waits: Waits): Progress {
  const count = counter(total, before)
  let next = before / total + 0.1
  let toldMs = -Infinity
  waits.show((text) => {
    if (text === '' || performance.now() - toldMs < WAITING_MS) return
    toldMs = performance.now()
    process.stderr.write(`${count.done()}/${total} trials${text}\n`)
  })
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
