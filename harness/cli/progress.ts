import cliProgress from 'cli-progress'
import { isSimulated } from '../contract/index.js'
import type { TrialIdentity, TrialLine } from '../contract/index.js'
import type { Waiting } from '../model/gate.js'
import { clean, thousands } from '../trace/text.js'

export interface Progress {
  step(line: TrialLine): void
  /** Writes a line of its own. */
  note(text: string): void
  stop(): void
}

/** A live line, or a line now and then (`before`: what was done already); always on stderr, so that stdout stays data. */
export const createProgress = (
  total: number,
  { before, isLive, waits, spent }: { before: number; isLive: boolean; waits: Waits; spent: () => number },
): Progress => {
  const count = counter(total, before, spent)
  return isLive ? bar(total, before, { waits, count }) : log(total, before, { waits, count })
}

interface Told {
  waits: Waits
  count: ReturnType<typeof counter>
}

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

function bar(total: number, before: number, { waits, count }: Told): Progress {
  const line = new cliProgress.SingleBar({
    format: '{bar} {value}/{total} trials · {rate}/s · {left} left · {solved} solved{errors}{cost}{waiting}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  line.start(total, before, { ...count.payload(), waiting: '' })
  waits.show((waiting) => line.update({ waiting }))
  return {
    step(trial) {
      waits.stepped()
      line.increment(1, { ...count.add(trial), waiting: waits.text() })
    },
    // The live line does not wrap, and is drawn anew below.
    note: (text) => void process.stderr.write(`\r\u001B[K\u001B[?7h${text}\n\u001B[?7l`),
    stop: () => line.stop(),
  }
}

/** A line of this kind is written at most so often. */
const WAITING_MS = 10_000

function log(total: number, before: number, { waits, count }: Told): Progress {
  let next = before / total + 0.1
  let toldMs = -Infinity
  waits.show((text) => {
    if (text === '' || performance.now() - toldMs < WAITING_MS) return
    toldMs = performance.now()
    process.stderr.write(`${count.done()}/${total} trials${text}\n`)
  })
  return {
    step(trial) {
      const { rate, left, solved, errors, cost } = count.add(trial)
      if (count.done() < total * next) return
      next = count.done() / total + 0.1
      process.stderr.write(
        `${count.done()}/${total} trials · ${rate}/s · ${left} left · ${solved} solved${errors}${cost}\n`,
      )
    },
    note: (text) => void process.stderr.write(`${text}\n`),
    stop() {},
  }
}

/** So many trials of a real model tell what the others may take. */
const TRIED = 3

/** A sentence after the first trials of each real model, by their mean; null at all others. `done`: what was played before. */
export function createEstimates(trials: readonly TrialIdentity[], done: ReadonlySet<string>) {
  const left = new Map<string, number>()
  const played = new Map<string, TrialLine[]>()
  for (const { id, model } of trials) if (model !== null && !done.has(id)) left.set(model, (left.get(model) ?? 0) + 1)
  return (line: TrialLine): string | null => {
    const { model } = line.identity
    if (model === null || isSimulated(model)) return null
    const toCome = (left.get(model) ?? 0) - 1
    left.set(model, toCome)
    if (line.outcome === 'infrastructure_error') return null
    const known = [...(played.get(model) ?? []), line]
    played.set(model, known)
    return known.length === TRIED && toCome > 0 ? estimateOf(known, model, toCome) : null
  }
}

function estimateOf(known: readonly TrialLine[], model: string, toCome: number): string {
  const sum = (metric: string): number => known.reduce((total, { metrics }) => total + Number(metrics[metric] ?? 0), 0)
  const calls = Math.round(sum('model_calls') / known.length)
  const tokens = (sum('prompt_tokens') + sum('completion_tokens')) / known.length
  const isPriced = known.every(({ metrics }) => typeof metrics['cost_usd'] === 'number')
  const cost = isPriced ? ` and ${((sum('cost_usd') / known.length) * toCome).toFixed(2)} USD` : ''
  const agents = [...new Set(known.map(({ identity }) => identity.agent))].join(', ')
  const [each, all] = [tokens, tokens * toCome].map((count) => thousands(Math.round(count)))
  return `After ${known.length} trials (${agents}) ${clean(model)} takes ${calls} calls and ${each} tokens a trial: about ${all} tokens${cost} for the ${thousands(toCome)} to come.`
}

/** `spent`: USD, with what an earlier part of the run has spent. */
function counter(total: number, before: number, spent: () => number) {
  const atFirst = spent()
  const began = process.hrtime.bigint()
  let done = before
  let solved = 0
  let errors = 0
  /** What is to come is told from the third trial on. */
  const costText = (): string => {
    const played = done - before
    if (spent() === 0) return ''
    const toCome = ((spent() - atFirst) / Math.max(1, played)) * (total - done)
    return ` · ${spent().toFixed(2)} USD${played < 3 ? '' : `, ${toCome.toFixed(2)} to come`}`
  }
  const payload = () => {
    const seconds = Number(process.hrtime.bigint() - began) / 1e9
    const rate = (done - before) / Math.max(seconds, 1e-3)
    return {
      rate: rate < 10 ? rate.toFixed(1) : rate.toFixed(0),
      left: done === before ? '?' : duration((total - done) / rate),
      solved,
      cost: costText(),
      errors: errors === 0 ? '' : ` · ${errors} infrastructure ${errors === 1 ? 'error' : 'errors'}`,
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
